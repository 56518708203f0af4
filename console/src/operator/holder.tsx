import { Link } from "react-router";
import type { Holding } from "../generated/answers.ts";
import { pageOf } from "../orders/kinds.ts";
import { State, type Tone } from "../ui/state.tsx";

/** The holder of a number, an address, a name or a host. */

const tones: Record<Holding["state"], Tone> = {
  HELD: "ready",
  FREE: "ended",
  RESTING: "waiting",
  KEPT: "stalled",
};

export const HoldingState = ({ state }: Pick<Holding, "state">) => (
  <State state={state} tone={tones[state]} />
);

/** The owner, as a link if it has a page. */
export function Holder({ owner }: Pick<Holding, "owner">) {
  if (!owner) return null;
  const page = pageOf(owner);
  const words = `${owner.tenant ?? ""} / ${owner.name ?? owner.id}`;
  return page ? <Link to={page}>{words}</Link> : words;
}
