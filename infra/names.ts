import { functionNames } from "./functions.ts";

/** The names of resources that the stage's name and its parameters make, and how long AWS lets them be. */

/** The name of the app in `sst.config.ts`, by which every name begins. */
const app = "slipway";

interface Limit {
  /** What AWS calls what has the name. */
  of: string;
  most: number;
  /** What is in the name anyway, beside the app's and the stage's. */
  rest: string;
}

/** Names that end in nothing that a parameter says. */
const ofStage: Limit[] = [
  ...functionNames.map((name) => ({ of: "a function and its role", most: 64, rest: `-${name}` })),
  { of: "a role", most: 64, rest: "-state-machines" },
  { of: "a schedule", most: 64, rest: "-sweep-orphans" },
  { of: "an archive of events", most: 48, rest: "" },
];

/** Names with that of a destination in them. */
const ofDestination: Limit[] = [
  { of: "a role", most: 64, rest: "-destination-" },
  { of: "a connection", most: 64, rest: "-" },
  { of: "a queue", most: 80, rest: "-destination--dead-letters" },
];

/** What is too long at this stage, each in words. */
export function longNames(
  stage: string,
  { events }: { events: { destinations: { name: string }[] } },
): string[] {
  const ofStages = refusal(`the name of stage '${stage}'`, stage, ofStage, `${app}-`);
  // What is wrong with a destination then, is wrong with the stage.
  if (ofStages !== undefined) return [ofStages];
  return events.destinations.flatMap(({ name }, n) => {
    const member = `events.destinations.${n}.name:`;
    return refusal(member, name, ofDestination, `${app}-${stage}`) ?? [];
  });
}

/** What is wrong with a name after this prefix; undefined for one that all limits leave room for. */
function refusal(
  what: string,
  name: string,
  limits: readonly Limit[],
  prefix: string,
): string | undefined {
  const rooms = limits.map(({ of, most, rest }) => ({
    ...{ of, most },
    room: most - rest.length - prefix.length,
  }));
  const [least] = rooms.sort((one, other) => one.room - other.room);
  if (!least || name.length <= least.room) return undefined;
  const { of, most, room } = least;
  return `${what} may have ${room} characters at most, not ${name.length}: with what is around it, it names ${of}, which may have ${most}`;
}
