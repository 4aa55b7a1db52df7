import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import type { JudgedVerdict } from '#core/reviews/judge-reviews.js';
import { tag, tokenField, type Viewer } from './frame.js';

/** What the verdicts on a plan come to where they are signed. */
export interface Standing {
  readonly verdicts: readonly JudgedVerdict[];
  readonly missing?: string | undefined;
  /** The branch and commit whose signers and roles decide. */
  readonly source: string;
}

/** The plan that a form is about. */
export interface FormPlace {
  readonly environment: string;
  readonly plan: string;
}

const pathTo = ({ environment, plan }: FormPlace, what: string): string =>
  `${pathOf('environments', environment, 'plans', plan)}/${what}`;

/** What is missing, and why verdicts do not count. */
export const standingText = ({ verdicts, missing, source }: Standing): Markup => {
  const others = verdicts.filter(({ problem }) => problem !== undefined);
  return html`<p>${missing === undefined ? tag('approved', 'good') : tag(missing, 'doubt')} as <code>reviews</code> of ${source} asks for.</p>
${others.length > 0 && html`<ul class="plain">${others.map(({ signer = 'somebody', problem }) => html`<li>The verdict of ${signer} does not count: ${problem}.</li>`)}</ul>`}`;
};

/** The key that signed a verdict, and how. */
export const keyText = ({ key, through }: Pick<JudgedVerdict, 'key' | 'through'>): Part =>
  key !== undefined &&
  html` <span class="dim" title="${key}">${through === 'page' ? 'clicked, signed by this page' : `signed with ${key.slice(0, 19)}…`}</span>`;

/** Asks for a verdict that a person signs, or, if `clicks`, clicks. */
export const verdictForm = (place: FormPlace, { token, name, roles }: Viewer, clicks: boolean): Markup =>
  html`<div class="actions"><details class="action"><summary>Give a verdict</summary>
<form method="post" action="${pathTo(place, 'statement')}">${tokenField(token)}
<label class="choice"><input type="radio" name="verdict" value="approved" required> Approve</label><label class="choice"><input type="radio" name="verdict" value="rejected"> Reject</label>
<label>Reason <input name="reason" maxlength="500"></label>
<label>Your name among the allowed signers <input name="signer" value="${name}" required maxlength="200" autocomplete="email"></label>
<p><button>Show what to sign</button>${
    clicks &&
    roles.includes('review') &&
    html` <button formaction="${pathTo(place, 'click')}">Give it as ${name}, signed by this page</button>`
  }</p></form></details></div>`;

/** A statement, how to sign it, and where the signature goes. */
export function statementPage(
  place: FormPlace,
  { statement, verdict, link }: { readonly statement: string; readonly verdict: string; readonly link: string },
  { token }: Viewer,
): Markup {
  const { environment, plan } = place;
  return html`<p class="path"><a href="${pathOf('environments', environment)}">${environment}</a> / <a href="${pathOf('environments', environment, 'plans', plan)}">${plan}</a></p>
<h1>Sign your verdict</h1>
<p>A click does not sign. Where dexsync is installed, this signs the statement and sends it here; it holds for 15 minutes:</p>
<pre tabindex="0">dexsync plan review --${verdict === 'approved' ? 'approve' : 'reject'} --server ${link}</pre>
<p>With OpenSSH alone, run this with the file of your key, and paste what it prints:</p>
<pre tabindex="0">ssh-keygen -Y sign -n dexsync-review@v1 -f ~/.ssh/id_ed25519 &lt;&lt;'END'
${statement}END</pre>
<form method="post" action="${pathTo(place, 'verdict')}">${tokenField(token)}<input type="hidden" name="statement" value="${statement}">
<p><label>Signature<textarea name="signature" rows="8" required spellcheck="false" placeholder="-----BEGIN SSH SIGNATURE-----"></textarea></label></p>
<p><button>Record the verdict</button></p></form>`;
}
