import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import type { Counts } from "./close.ts";
import type { Combination } from "./derive.ts";
import type { Place } from "./ends.ts";
import type { Play } from "./play.ts";
import type { Change, Stage, Subject } from "./stage.ts";

/** A case of the matrix that runs. */
export interface Run {
  subject: Subject;
  change: Change;
  name: string;
  sagas: Sagas;
  play: Play;
  place: Place;
  combination: Combination;
  counts: Counts;
}

/** Its stage, with these sagas. */
export async function opened({ change, play }: Run, sagas: Sagas): Promise<Stage> {
  const { outside, invoke } = play;
  const stage = await change.open({ sagas, outside, invoke, hasNews: () => play.hasNews });
  play.begin(stage);
  return stage;
}
