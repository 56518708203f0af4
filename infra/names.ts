import { functionNames } from "./functions.ts";

/** The resource names that contain the stage's name and parameters, and AWS's limits of their length. */

/** The app's name in `sst.config.ts`, with which every name begins. */
const app = "slipway";

interface Limit {
  /** AWS's word for the resource. */
  of: string;
  most: number;
  /** The constant part of the name, besides the app's and the stage's names. */
  rest: string;
}

/** Names without a parameter in them. */
const ofStage: Limit[] = [
  ...functionNames.map((name) => ({ of: "a function and its role", most: 64, rest: `-${name}` })),
  { of: "a role", most: 64, rest: "-state-machines" },
  { of: "a schedule", most: 64, rest: "-sweep-orphans" },
  { of: "an archive of events", most: 48, rest: "" },
];

/** Names that contain a destination's name. */
const ofDestination: Limit[] = [
  { of: "a role", most: 64, rest: "-destination-" },
  { of: "a connection", most: 64, rest: "-" },
  { of: "a queue", most: 80, rest: "-destination--dead-letters" },
];

/** The faults of names that are too long at this stage, in words. */
export function longNames(
  stage: string,
  { events }: { events: { destinations: { name: string }[] } },
): string[] {
  const ofStages = refusal(`the name of stage '${stage}'`, stage, ofStage, `${app}-`);
  // With such a stage, the faults of destinations are the stage's.
  if (ofStages !== undefined) return [ofStages];
  return events.destinations.flatMap(({ name }, n) => {
    const member = `events.destinations.${n}.name:`;
    return refusal(member, name, ofDestination, `${app}-${stage}`) ?? [];
  });
}

/** The fault of a name after this prefix; undefined for one within all limits. */
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
