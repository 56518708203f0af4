import { createSocket } from "node:dgram";
import ipaddr from "ipaddr.js";
import { onFreePort } from "../free-port.ts";

/**
 * A name server over UDP (RFC 1035), authoritative for every name, for clients that query a DNS service over the
 * network.
 */

/** The addresses of a name without a dot at the end; none when it has no records. */
type Resolves = (name: string, type: "A" | "AAAA") => string[];

export interface NameServer {
  /** Its address, with the port. */
  address: string;
  port: number;
  close(): Promise<void>;
}

const types: Record<number, "A" | "AAAA" | undefined> = { 1: "A", 28: "AAAA" };
/** The flags of an authoritative, complete response (QR, AA, no TC). */
const flags = 0x8400;
const notImplemented = 4;
const recursionDesired = 0x0100;
const internet = 1;
/** A pointer to the first question's name, after the header of 12 bytes. */
const toName = 0xc00c;

/** Listens on loopback, on this port or the next free one. 0 means any. */
export async function serveNames(resolves: Resolves, first = 0): Promise<NameServer> {
  const socket = await onFreePort(
    first,
    (port) =>
      new Promise<ReturnType<typeof createSocket>>((resolve, reject) => {
        const opened = createSocket("udp4");
        opened.once("error", reject);
        opened.bind(port, "127.0.0.1", () => resolve(opened));
      }),
  );
  socket.removeAllListeners("error");
  // Ignores the socket's error for a client that has gone; a client that still needs the answer asks again.
  socket.on("error", () => {});
  socket.on("message", (query, { address, port }) => {
    const answer = answerTo(query, resolves);
    if (answer) socket.send(answer, port, address);
  });
  const { port } = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    port,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** The message that answers a query; undefined for one that cannot be read. */
export function answerTo(query: Buffer, resolves: Resolves): Buffer | undefined {
  const question = questionIn(query);
  if (!question) return undefined;
  const type = types[question.type];
  const found = type ? resolves(question.name, type) : [];
  const header = Buffer.alloc(12);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  const isQuery = ((query.readUInt16BE(2) >> 11) & 15) === 0;
  const asked = query.readUInt16BE(2) & recursionDesired;
  header.writeUInt16BE(flags | asked | (isQuery ? 0 : notImplemented), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  const records = found.map((address) => recordOf(question.type, address));
  return Buffer.concat([header, query.subarray(12, question.end), ...records]);
}

/** The first question of a message: its name, its type, and where it ends. */
function questionIn(query: Buffer): { name: string; type: number; end: number } | undefined {
  const labels: string[] = [];
  let at = 12;
  for (;;) {
    const length = query[at];
    if (length === undefined || length > 63) return undefined;
    at += 1;
    if (length === 0) break;
    labels.push(query.toString("latin1", at, at + length));
    at += length;
  }
  if (query.length < at + 4) return undefined;
  return { name: labels.join("."), type: query.readUInt16BE(at), end: at + 4 };
}

/** A record of the name in the question, with a TTL of 0, so that nobody caches it. */
function recordOf(type: number, address: string): Buffer {
  const data = Buffer.from(ipaddr.parse(address).toByteArray());
  const record = Buffer.alloc(12);
  record.writeUInt16BE(toName, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(internet, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}
