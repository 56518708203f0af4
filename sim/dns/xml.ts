/** An element of a document that has no attributes worth reading. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/** Reads the document's element. Throws for what is not well-formed. */
export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: "", text: "", children: [] };
  const open = [root];
  for (const [, tag, text] of document.matchAll(/<([^>]*)>|([^<]+)/g)) {
    const current = open.at(-1) ?? root;
    if (text !== undefined) current.text += unescaped(text);
    else if (tag?.startsWith("?") || tag?.startsWith("!")) continue;
    else if (tag?.startsWith("/")) {
      if (open.length < 2 || open.pop()?.name !== tag.slice(1).trim()) throw malformed();
    } else {
      const name = /^[^\s/]+/.exec(tag ?? "")?.[0];
      if (name === undefined) throw malformed();
      const element = { name, text: "", children: [] };
      current.children.push(element);
      if (!tag?.endsWith("/")) open.push(element);
    }
  }
  const [element] = root.children;
  if (open.length !== 1 || !element) throw malformed();
  return element;
}

/** The children of this name. */
export const all = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const first = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  all(element, name)[0];

/** The trimmed text of a child; undefined when there is no such child. */
export const textOf = (element: XmlElement | undefined, name: string): string | undefined =>
  first(element, name)?.text.trim();

/** Writes nested members: text, elements, or a list of elements of the same name. */
export type XmlContent = string | { [name: string]: XmlContent | XmlContent[] | undefined };

export function toXml(content: XmlContent): string {
  if (typeof content === "string") return escaped(content);
  return Object.entries(content)
    .flatMap(([name, value]) => {
      const values = Array.isArray(value) ? value : [value];
      return values.map((one) => (one === undefined ? "" : `<${name}>${toXml(one)}</${name}>`));
    })
    .join("");
}

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return entities[name] ?? whole;
  });

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const malformed = () => new SyntaxError("the document is not well-formed");
