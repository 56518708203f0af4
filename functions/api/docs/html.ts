/** HTML. Values are escaped once, when they are inserted. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | undefined;

/** A template whose values are escaped as text, unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const texts = parts.map((part, n) => textOf(part) + (strings[n + 1] ?? ""));
  return new Html((strings[0] ?? "") + texts.join(""));
}

function textOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Text in which backquotes mark `code`. */
export const prose = (text: string): Html =>
  html`${text.split("`").map((part, n) => (n % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
