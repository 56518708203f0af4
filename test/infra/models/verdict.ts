import { expect } from "vitest";
import { isMadeLater, type Resource } from "../../support/pulumi-mocks.ts";
import { callsOf } from "./calls.ts";
import { judgeDocumented } from "./documented.ts";
import { Judgement, judge } from "./judge.ts";
import { judgePolicies } from "./policies.ts";
import { rowOf } from "./rows.ts";

/** What AWS has no part in: groups of resources, look-ups of SST, and numbers that are drawn. */
const notOfAws = /^(sst|pulumi|pulumi-nodejs|random):/;

interface Verdict {
  resources: number;
  calls: number;
  constraints: number;
  /** Values that AWS makes; nothing can be said of them before. */
  unknown: number;
  violations: string[];
}

/** A whole stack is taken by AWS, as far as its models tell; prints how far that is. */
export function expectTaken(stage: string, resources: readonly Resource[]): void {
  const { violations, ...counts } = verdictOn(resources);
  console.log(`${stage} against AWS's models: ${JSON.stringify(counts)}`);
  expect(violations).toEqual([]);
  // A stack of which little is judged has slipped by.
  expect(counts.resources).toBeGreaterThan(150);
  expect(counts.constraints).toBeGreaterThan(6000);
}

/** Holds every resource of a stack against AWS's own models, documented limits and actions. */
export function verdictOn(resources: readonly Resource[]): Verdict {
  const judgement = new Judgement();
  const judged = resources.filter(({ type }) => !notOfAws.test(type));
  const calls = judged.flatMap((resource) => {
    const row = rowOf(resource.type);
    judgement.holds(row !== undefined, `${resource.type} ${resource.name}`, "has no row");
    if (row === undefined) return [];
    const [made, unknown] = callsOf(resource, row);
    judgement.violations.push(...unknown);
    return made;
  });
  for (const call of calls) {
    judge(judgement, call, isMadeLater);
    judgeDocumented(judgement, call);
  }
  judgePolicies(judgement, calls);
  const { constraints, unknown, violations } = judgement;
  return { resources: judged.length, calls: calls.length, constraints, unknown, violations };
}
