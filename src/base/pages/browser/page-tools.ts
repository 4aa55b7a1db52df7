/** What the browser code of all pages shares: elements, the values of filters, numbers and times. */
export class PageTools {
  /** Returns the element with this id, which the page must have. */
  readonly at = <E extends HTMLElement = HTMLElement>(id: string): E => document.getElementById(id) as E;

  /** Makes an element. Texts become text nodes, never markup. */
  readonly make = <T extends keyof HTMLElementTagNameMap>(
    tag: T,
    className: string,
    ...children: readonly (Node | string)[]
  ): HTMLElementTagNameMap[T] => {
    const made = document.createElement(tag);
    if (className !== '') made.className = className;
    made.append(...children);
    return made;
  };

  /** The value that a field of the filters has. */
  readonly value = (id: string): string => this.at<HTMLInputElement | HTMLSelectElement>(id).value;

  /** Returns the test for the value that is chosen in a list; all pass if none is. */
  readonly choice = (id: string): ((value: string) => boolean) => {
    const chosen = this.value(id);
    return (value) => chosen === '' || value === chosen;
  };

  /** Formats a count with commas between thousands. */
  readonly count = (number: number): string => number.toLocaleString('en-US');

  /** Lets the key / lead to the field of the search. */
  searchBySlash(): void {
    document.addEventListener('keydown', (event) => {
      const isTyping = /^(INPUT|SELECT)$/.test(document.activeElement?.tagName ?? '');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return;
      event.preventDefault();
      this.at('text').focus();
    });
  }

  /** Shows the times of the page in the reader's zone; without scripts, they stay in UTC. */
  showLocalTimes(): void {
    for (const one of document.querySelectorAll('time')) one.textContent = this.localTime(one.dateTime);
  }

  /** Writes the UTC times in a text in the reader's zone. */
  withLocalTimes(text: string): string {
    return text.replace(/\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g, (_, date, time) =>
      this.localTime(`${date}T${time}Z`),
    );
  }

  /** Writes a UTC time in the zone of the reader, which it names. */
  localTime(utc: string): string {
    const at = new Date(utc);
    if (Number.isNaN(at.getTime())) return utc;
    const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(at);
    const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const two = (number: number): string => String(number).padStart(2, '0');
    const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
    return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')} ${zone}`;
  }
}
