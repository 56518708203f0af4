import { systemClock } from "../core/clock.ts";
import { authorizer } from "./authorizer.ts";
import { readEnvironment } from "./environment.ts";
import { verifier } from "./identity/verify.ts";
import { handled } from "./runtime/handled.ts";

/** The authorizer's function. It runs in the network that reaches issuers which AWS cannot reach. */
const { ISSUERS } = readEnvironment(process.env, "authorizer");

export const handler = handled(authorizer(verifier({ wall: systemClock }, ISSUERS)));
