import * as z from "zod";
import { timestamp, timeText } from "../clock.ts";
import { AppError } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { timeSchema } from "../kernel/object/wire.ts";
import type { Write } from "../kernel/store/store.ts";
import {
  type Identity,
  identityIn,
  identityNamesOf,
  isNameless,
  isSameServer,
  serialIn,
} from "../ports/bare-metal/identity.ts";
import type { BareMetalServer } from "../ports/bare-metal/server.ts";
import { claimFormer } from "./claim-former.ts";
import {
  claimServer,
  type IdentityClaimant,
  type IdentityClaims,
  ServerTaken,
} from "./identity-claim.ts";

/**
 * The server of a host or a DPU. The first contact stores the identifiers that the controller reports; later
 * contacts compare them before each change. If another server answers (a reused address, a wrong cable, a new
 * mainboard), Slipway does not touch it until an operator accepts it.
 */
export interface ServerIdentity {
  /**
   * The server's identifiers since the first contact or the last acceptance; absent if its controller reports
   * none.
   */
  known?: Identity & { since: string; accepted_by?: string };
  /** Another server that was found instead; absent while the known one answers. */
  other?: Identity & { since: string; reason: string };
  /** The claims on the identifiers; absent before the first claim. */
  claims?: string[];
}

/** An object that has a server: a host or a DPU. */
export interface Identified {
  identity?: ServerIdentity;
  /** The serial number in an inventory. */
  spec: { serial?: string | undefined };
}

/** A server other than the known one answers at the controller's address. */
export class AnotherServer extends AppError {}

/** Writes the identity; `beside` answers the writes of the claims. */
export type Keep = (
  change: (
    identity: ServerIdentity | undefined,
    object: IdentityClaimant,
  ) => ServerIdentity | Promise<ServerIdentity>,
  beside?: () => Write[],
) => Promise<unknown>;

/**
 * Checks that the server is the object's own, and stores its identifiers. Throws AnotherServer if it is not, or
 * if another object has it; throws Unavailable while the controller omits all identifiers that it reported
 * before. `now` in milliseconds.
 */
export async function identify(
  deps: Pick<Deps, "store" | "kinds" | "clock">,
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
        `the server's controller reported ${identityNamesOf(known)} before and reports ${identityNamesOf(seen)} now: nothing is done to the server until it reports the former again`,
      );
    if (!isSame) return refuse(identityNamesOf(known), known.since);
    const learned = { ...seen, ...known };
    const isNews = Object.keys(learned).length > Object.keys(known).length;
    if (isNews || other || !identity?.claims) await claim(learned);
    return;
  }
  const { serial } = spec;
  const isListed =
    serial === undefined || seen.serial === undefined || serialIn(serial) === undefined;
  if (!isListed && serialIn(serial) !== seen.serial && !(await server.bears?.(serial)))
    return refuse(`serial number ${serial}`, undefined);
  const isForgotten = identity?.known !== undefined && !isNameless(identity.known);
  if (!known || other || isForgotten || !isNameless(seen)) await claim({ ...seen, since: at });

  /** Claims this server for the object, unless another object has claimed it. */
  async function claim(known: NonNullable<ServerIdentity["known"]>): Promise<void> {
    let claimed: IdentityClaims | undefined;
    if (!identity?.claims) await claimFormer(deps);
    try {
      await keep(
        async (_, object) => {
          claimed = await claimServer(deps, object, known);
          return { known, claims: claimed.claims };
        },
        () => claimed?.writes ?? [],
      );
    } catch (error) {
      if (!(error instanceof ServerTaken)) throw error;
      return setAside(
        () =>
          `the server with ${identityNamesOf(seen)} ${error.message}. Nothing was done to it: delete one of the two, or fix the cable or the address and retry`,
      );
    }
  }

  function refuse(expected: string, since: string | undefined): Promise<never> {
    const from = since === undefined ? "by the inventory" : `known since ${timeText(since)}`;
    return setAside(
      (found) =>
        `expected the server with ${expected} (${from}); since ${timeText(found)} its controller reports ${identityNamesOf(seen)}. Nothing was done to it: fix the cable or the address and retry, or accept the new identity`,
    );
  }

  async function setAside(why: (found: string) => string): Promise<never> {
    const isSame = other && isSameServer(other, seen);
    const found = isSame ? other.since : at;
    const reason = why(found);
    if (other?.reason !== reason)
      await keep((now) => ({ ...now, other: { ...seen, since: found, reason } }));
    throw new AnotherServer("Rejected", reason);
  }
}

/** The stored identifiers, without placeholder values that earlier versions accepted. */
const toldIn = ({ since, accepted_by, ...names }: NonNullable<ServerIdentity["known"]>) => ({
  ...identityIn(names),
  since,
  ...(accepted_by !== undefined && { accepted_by }),
});

/**
 * The identity after an operator has accepted another server, with the writes of its claims. `refused` makes
 * the error if the server is already another host or DPU.
 */
export async function accepted(
  deps: Pick<Deps, "store" | "kinds" | "clock">,
  object: IdentityClaimant,
  { since: _, reason: __, ...names }: NonNullable<ServerIdentity["other"]>,
  by: { user: string; now: number },
  refused: (why: string) => AppError,
): Promise<{ identity: ServerIdentity; writes: Write[] }> {
  await claimFormer(deps);
  try {
    const { claims, writes } = await claimServer(deps, object, names);
    const known = { ...names, since: timestamp(by.now), accepted_by: by.user };
    return { identity: { known, claims }, writes };
  } catch (error) {
    if (!(error instanceof ServerTaken)) throw error;
    throw refused(`the server with ${identityNamesOf(names)} ${error.message}`);
  }
}

const namesSchema = z.object({
  serial_number: z.string().optional().describe("Its serial number."),
  uuid: z.string().optional().describe("Its UUID."),
  record: z.string().optional().describe("Its record at the service that manages it."),
  since: timeSchema.describe("Since when."),
});

/** The part of a status that shows the object's server. */
export const identityMember = {
  identity: z
    .object({
      is_identified: z
        .boolean()
        .describe(
          "Whether its controller reports identifiers; without them another server cannot be recognized.",
        ),
      known: namesSchema
        .extend({ accepted_by: z.string().optional().describe("Who has accepted it.") })
        .optional()
        .describe("The known server."),
      other: namesSchema
        .extend({
          reason: z.string().describe("What was expected, what was seen, and what to do."),
        })
        .optional()
        .describe(
          "Another server that answered instead; it is not touched until `accept_identity`.",
        ),
    })
    .optional()
    .describe("The machine that its controller reports; absent before the first contact."),
};

/** The same part, from an object. */
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
