/** Whether output has colours: not if somebody says so, and not where no terminal shows them. */
export const chooseColor = (
  argumentsGiven: readonly string[],
  { NO_COLOR = '', TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): 'color' | 'plain' =>
  argumentsGiven.includes('--no-color') || NO_COLOR !== '' || !isTerminal || TERM === 'dumb' ? 'plain' : 'color';
