import type { PacketCarrier, Place, Protocol } from "../../../sim/packets/packets.ts";
import { type Member, type Orders, type Question, seenFrom } from "./model.ts";

/** Asks for every pair, of what was programmed and of the model. */

const packets: readonly { protocol: Protocol; port: number }[] = [
  { protocol: "tcp", port: 443 },
  { protocol: "tcp", port: 5432 },
  { protocol: "udp", port: 443 },
  { protocol: "icmp", port: 8 },
];

/** Somebody who sends. */
export interface Sender {
  name: string;
  place: Place;
  from: Question["from"];
}

/** Somewhere to send to. */
export interface Receiver {
  name: string;
  place: Place;
  /** Undefined for a machine that nobody has: no packet may come there. */
  destination: string | undefined;
  to?: Member;
}

export interface Judged {
  /** The packets that did not go as the model says. */
  wrong: string[];
  /** How many arrived, as they should. */
  arrived: number;
}

/** `told` has the words of the model for the address that a receiver sees. */
export function judge(
  carrier: PacketCarrier,
  orders: Orders,
  { senders, receivers }: { senders: readonly Sender[]; receivers: readonly Receiver[] },
  told: (source: string) => string = (source) => source,
): Judged {
  const wrong: string[] = [];
  let arrived = 0;
  for (const sender of senders)
    for (const receiver of receivers.filter((one) => !isItself(sender, one)))
      for (const packet of packets) {
        const { protocol, port } = packet;
        const fate = carrier.reaches(sender.place, receiver.place, protocol, port);
        const seen = fate.arrives ? told(fate.source) : undefined;
        const wanted = wantedOf(orders, sender, receiver, packet);
        if (seen === wanted) arrived += seen === undefined ? 0 : 1;
        else {
          const why = fate.arrives ? "" : ` (${fate.why})`;
          const went = `${sender.name} to ${receiver.name}, ${protocol} ${port}`;
          wrong.push(`${went}: ${said(seen)}${why} instead of ${said(wanted)}`);
        }
      }
  return { wrong, arrived };
}

const said = (source: string | undefined): string =>
  source === undefined ? "does not arrive" : `arrives from ${source}`;

function wantedOf(
  orders: Orders,
  { from }: Sender,
  { destination, to }: Receiver,
  packet: (typeof packets)[number],
): string | undefined {
  if (destination === undefined) return undefined;
  return seenFrom(orders, { from, destination, ...packet, ...(to && { to }) });
}

/** Nobody sends to itself over a network. */
function isItself({ from, place }: Sender, receiver: Receiver): boolean {
  if ("nic" in place && "nic" in receiver.place) return place.nic === receiver.place.nic;
  const { destination = "" } = receiver;
  return typeof from === "string" ? from === destination : !!from?.addresses.includes(destination);
}
