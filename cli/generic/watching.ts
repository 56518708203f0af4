import type { Around, Screen } from "../around.ts";
import { CliFailure } from "../exit.ts";
import { type Column, columnNameOf } from "../output/columns.ts";
import { type Form, renderedOutput } from "../output/print.ts";
import { heightOf } from "../output/table.ts";
import { jsonOf, visible } from "../output/unsafe.ts";
import { at, list, text } from "../output/values.ts";

/** Reads repeatedly, and prints what has changed, until Ctrl-C. */

const pause = 2000;

interface Watched {
  /** Ends once the signal is aborted. */
  read(signal: AbortSignal): Promise<unknown>;
  columns: Column[];
  form: Form;
}

/**
 * On a terminal the table is redrawn in place. Otherwise each new or changed object is printed: as a line of a
 * table, or a line of JSON.
 */
export async function watching(around: Around, { read, columns, form }: Watched): Promise<void> {
  const { out, err } = around;
  const interrupted = around.interrupted();
  const isRedrawn = out.isTerminal && (form === "table" || form === "wide");
  const seen = new Map<string, string>();
  let isLost = false;
  let drawn = 0;
  while (!interrupted.aborted) {
    try {
      const answer = await read(interrupted);
      if (isLost) err.write("it answers again\n");
      isLost = false;
      if (isRedrawn) {
        const text = await renderedOutput(answer, { form, columns }, out);
        out.write(`${cleared(drawn, out)}${text}`);
        drawn = heightOf(text.trimEnd().split("\n"), out);
      } else {
        for (const object of changedIn(answer, seen)) out.write(await lineOf(object));
        for (const name of goneFrom(answer, seen)) err.write(`${name} is gone\n`);
      }
    } catch (error) {
      if (interrupted.aborted) break;
      if (!(error instanceof CliFailure && error.mayPass)) throw error;
      if (!isLost) err.write(`${error.message}; trying again\n`);
      isLost = true;
      drawn = 0;
    }
    await around.pause(pause, interrupted);
  }

  async function lineOf(object: unknown): Promise<string> {
    if (form === "json") return `${jsonOf(object)}\n`;
    if (form === "yaml") return `---\n${await renderedOutput(object, { form, columns }, out)}`;
    if (form === "name") return renderedOutput(object, { form, columns }, out);
    const cells = columns.map(({ cell }) => cell(object));
    return `${visible(cells.filter((cell) => cell !== "").join("  "))}\n`;
  }
}

/** The control sequence that erases so many lines; it clears the screen if there are more than its rows. */
function cleared(lines: number, { rows }: Screen): string {
  if (lines === 0) return "";
  return lines < rows ? `\u001b[${lines}A\u001b[0J` : "\u001b[2J\u001b[H";
}

/** The names that are missing since the last read; none if the last read was incomplete. */
function goneFrom(answer: unknown, seen: Map<string, string>): string[] {
  const items = at(answer, "items");
  if (!Array.isArray(items) || Number(at(answer, "total") ?? items.length) > items.length)
    return [];
  const there = new Set(items.map((each) => text(at(each, "id"))));
  return [...seen].flatMap(([id, object]) => {
    if (there.has(id)) return [];
    seen.delete(id);
    return [columnNameOf(JSON.parse(object))];
  });
}

function changedIn(answer: unknown, seen: Map<string, string>): unknown[] {
  const items = at(answer, "items");
  return (Array.isArray(items) ? list(items) : [answer]).filter((object) => {
    const [id, now] = [text(at(object, "id")), JSON.stringify(object)];
    const isNews = seen.get(id) !== now;
    seen.set(id, now);
    return isNews;
  });
}
