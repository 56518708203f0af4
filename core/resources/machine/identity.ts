import * as z from "zod";
import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import { timeSchema } from "../../kernel/object/wire.ts";
import {
  type Identity,
  identityIn,
  isNameless,
  isSameServer,
  namesOf,
  serialIn,
} from "../../ports/bare-metal/identity.ts";
import type { BareMetalServer } from "../../ports/bare-metal/server.ts";

/**
 * Which server a host or a DPU is. At the first contact the names that the controller tells are kept; before each
 * change they are compared. Another server than that (an address that was used again, a cable in another port, a new
 * mainboard) is not touched until a person accepts it.
 */
export interface ServerIdentity {
  /** The names of the server, since the first contact or the last acceptance; none where its controller tells none. */
  known?: Identity & { since: string; accepted_by?: string };
  /** Another server that was found instead; absent while the known one answers. */
  other?: Identity & { since: string; reason: string };
}

/** An object that is one server. */
export interface Identified {
  identity?: ServerIdentity;
  /** The serial number that an inventory says. */
  spec: { serial?: string | undefined };
}

/** Another server than the known one is behind the address of a controller. */
export class AnotherServer extends AppError {}

type Keep = (change: (identity: ServerIdentity | undefined) => ServerIdentity) => Promise<unknown>;

/**
 * Makes sure that a server is the one that its object means, and keeps what is learned of that. Throws AnotherServer,
 * and Unavailable while the controller tells none of the names that it told before. `now` in milliseconds.
 */
export async function identify(
  server: BareMetalServer,
  { identity, spec }: Identified,
  keep: Keep,
  now: number,
): Promise<void> {
  const seen = await server.identity();
  const { other } = identity ?? {};
  const known = identity?.known && toldIn(identity.known);
  const at = timestamp(now);
  if (known && !isNameless(known)) {
    const isSame = isSameServer(known, seen);
    if (isSame === undefined)
      throw new AppError(
        "Unavailable",
        `the server's controller told ${namesOf(known)} before, and tells ${namesOf(seen)} now: nothing is done to the server until it tells the same again`,
      );
    if (!isSame) return refuse(namesOf(known), known.since);
    const learned = { ...seen, ...known };
    const isNews = Object.keys(learned).length > Object.keys(known).length;
    if (isNews || other) await keep(() => ({ known: learned }));
    return;
  }
  const { serial } = spec;
  const isListed =
    serial === undefined || seen.serial === undefined || serialIn(serial) === undefined;
  if (!isListed && serialIn(serial) !== seen.serial && !(await server.bears?.(serial)))
    return refuse(`serial number ${serial}`, undefined);
  const isForgotten = identity?.known !== undefined && !isNameless(identity.known);
  if (!known || other || isForgotten || !isNameless(seen))
    await keep(() => ({ known: { ...seen, since: at } }));

  async function refuse(expected: string, since: string | undefined): Promise<never> {
    const isSame = other && isSameServer(other, seen);
    const found = isSame ? other.since : at;
    const from = since === undefined ? "by the inventory" : `known since ${since}`;
    const reason = `expected the server with ${expected} (${from}); since ${found} its controller tells ${namesOf(seen)}. Nothing was done to it: mend the cable or the address and retry, or accept the new identity`;
    if (!isSame) await keep((now) => ({ ...now, other: { ...seen, since: found, reason } }));
    throw new AnotherServer("Rejected", reason);
  }
}

/** What was kept when a placeholder that is known today was none yet. */
const toldIn = ({ since, accepted_by, ...names }: NonNullable<ServerIdentity["known"]>) => ({
  ...identityIn(names),
  since,
  ...(accepted_by !== undefined && { accepted_by }),
});

/** The identity once a person has accepted another server. */
export function accepted(
  { since: _, reason: __, ...names }: NonNullable<ServerIdentity["other"]>,
  by: string,
  now: number,
): ServerIdentity {
  return { known: { ...names, since: timestamp(now), accepted_by: by } };
}

const namesSchema = z.object({
  serial_number: z.string().optional().describe("Its serial number."),
  uuid: z.string().optional().describe("Its UUID."),
  record: z.string().optional().describe("Its record at the service that manages it."),
  since: timeSchema.describe("Since when."),
});

/** The member of a status that tells which server an object is. */
export const identityMember = {
  identity: z
    .object({
      is_identified: z
        .boolean()
        .describe(
          "Whether its controller tells who it is; where not, nobody can tell another one from it.",
        ),
      known: namesSchema
        .extend({ accepted_by: z.string().optional().describe("Who has accepted it.") })
        .optional()
        .describe("The one that it is."),
      other: namesSchema
        .extend({
          reason: z.string().describe("What was expected, what was seen, and what to do."),
        })
        .optional()
        .describe(
          "Another one that was found instead, and is not touched until `accept_identity`.",
        ),
    })
    .optional()
    .describe("Which machine its controller says it is; absent before the first contact."),
};

/** The same of an object. */
export function identityShown({ identity }: Pick<Identified, "identity">) {
  if (!identity) return {};
  const { known, other } = identity;
  return {
    identity: {
      is_identified: known !== undefined && !isNameless(known),
      ...(known && { known: withSerial(known) }),
      ...(other && { other: withSerial(other) }),
    },
  };
}

const withSerial = <Names extends Identity>({ serial, ...rest }: Names) => ({
  ...rest,
  ...(serial !== undefined && { serial_number: serial }),
});
