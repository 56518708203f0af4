import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";

/** DHCP of a NIC, as a relay on loopback hands it on to a server (RFC 2131, 3046, 3527, 8357). */

const type = { discover: 1, offer: 2, request: 3, ack: 5 } as const;
const code = { requestedAddress: 50, type: 53, server: 54, relay: 82, end: 255 } as const;
const relayCode = { linkSelection: 5, sourcePort: 19 } as const;
const magic = [99, 130, 83, 99];
const optionsAt = 240;

/** How long a server that gives no address is listened to. */
const patience = 1000;

interface Message {
  type: number;
  transaction: number;
  address: number[];
  server: number[];
}

/** The address that a server leases to a NIC in the network of this prefix; undefined where it stays silent. */
export async function leaseFrom(
  server: { address: string; port: number },
  mac: string,
  prefix: string,
): Promise<string | undefined> {
  const socket = createSocket("udp4");
  try {
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const nic = { mac, prefix, transaction: randomInt(2 ** 32) };
    const ask = async (message: Buffer): Promise<Message | undefined> => {
      const answer = answerTo(nic.transaction, socket);
      socket.send(message, server.port, server.address);
      return answer;
    };
    const offer = await ask(packet(nic, [code.type, 1, type.discover]));
    if (offer?.type !== type.offer) return undefined;
    const accepted = [
      ...[code.type, 1, type.request],
      ...[code.requestedAddress, 4, ...offer.address],
      ...[code.server, 4, ...offer.server],
    ];
    const answer = await ask(packet(nic, accepted));
    return answer?.type === type.ack ? answer.address.join(".") : undefined;
  } finally {
    socket.close();
  }
}

/** The next message of the transaction. */
async function answerTo(transaction: number, socket: Socket): Promise<Message | undefined> {
  const signal = AbortSignal.timeout(patience);
  try {
    for (;;) {
      const [bytes] = await once(socket, "message", { signal });
      const message = messageIn(bytes);
      if (message.transaction === transaction) return message;
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function packet(
  { mac, prefix, transaction }: { mac: string; prefix: string; transaction: number },
  options: number[],
): Buffer {
  const link = bytesOf(prefix.split("/")[0] ?? "");
  // The answer comes to the port that asked and not to 67, which belongs to root. In the RFC the option is empty; Kea
  // reads a number of two bytes.
  const relay = [relayCode.linkSelection, 4, ...link, relayCode.sourcePort, 2, 0, 0];
  const header = Buffer.alloc(optionsAt - magic.length);
  // A request, by Ethernet, over one relay.
  header.set([1, 1, 6, 1]);
  header.writeUInt32BE(transaction, 4);
  header.set(bytesOf("127.0.0.1"), 24);
  header.set(Buffer.from(mac.replaceAll(":", ""), "hex"), 28);
  const all = [...magic, ...options, code.relay, relay.length, ...relay, code.end];
  return Buffer.concat([header, Buffer.from(all)]);
}

function messageIn(bytes: Buffer): Message {
  const options = new Map<number, number[]>();
  for (let at = optionsAt; at < bytes.length && bytes[at] !== code.end; ) {
    const length = bytes[at + 1] ?? 0;
    options.set(bytes[at] ?? 0, [...bytes.subarray(at + 2, at + 2 + length)]);
    at += 2 + length;
  }
  return {
    type: options.get(code.type)?.[0] ?? 0,
    transaction: bytes.readUInt32BE(4),
    address: [...bytes.subarray(16, 20)],
    server: options.get(code.server) ?? [],
  };
}

function bytesOf(address: string): number[] {
  if (!isIPv4(address)) throw new Error(`no IPv4 address: ${address}`);
  return address.split(".").map(Number);
}
