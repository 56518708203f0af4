import { AppError } from "./error.ts";

/**
 * Reads the body of an answer of a system outside. All readers use this, so that no system can fill our memory: neither
 * by a body that never ends, nor by one that is small until it is decompressed.
 */

/** The most bytes that are read of one answer, after decompression. */
export const answerLimit = 10 * 1024 * 1024;

/** The most pages of one list that are kept in memory: 100,000 objects of most systems. */
const mostPages = 200;

/** The part of an answer that carries its body; `fetch` decompresses it. */
export interface Body {
  body: AsyncIterable<Uint8Array> | null;
}

/** A body has more bytes than its reader accepts. The rest of it was not read. */
export class TooLarge extends Error {
  constructor(limit: number) {
    super(`has more than ${sizeInWords(limit)}`);
  }
}

/**
 * The body of an answer as text. Throws TooLarge at the first byte beyond `limit`, and closes the connection; how
 * long it takes is limited by the signal of the request.
 */
export async function readText({ body }: Body, limit = answerLimit): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (size > limit) throw new TooLarge(limit);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The whole lines of a body that may never end. Throws TooLarge for a line beyond `limit`. */
export async function* readLines({ body }: Body, limit = answerLimit): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    // A last line without an end is incomplete, and dropped.
    rest = parts.pop() ?? "";
    if (rest.length > limit) throw new TooLarge(limit);
    for (const line of parts) if (line.trim() !== "") yield line;
  }
}

/** Throws Unavailable for a page beyond the limit of pages; `list` names the list and its system. */
export function refusePage(number: number, list: string): void {
  if (number > mostPages)
    throw new AppError("Unavailable", `${list} has more than ${mostPages} pages`);
}

const sizeInWords = (bytes: number): string => `${bytes / 1024 / 1024} MB`;
