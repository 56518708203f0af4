import { AppError } from "../../error.ts";
import type { HealthReportInput } from "../../machine/health-report.ts";
import type { ReportedValidation } from "../../ports/hub/agents/hardware.ts";
import { preventsAllocation } from "./alerts.ts";
import { ownSources } from "./health-sources.ts";

/** The health source for the results of tests. */
export const { validation } = ownSources;

/**
 * The results of the tests that a host type names, as a health report: a failed or missing test is an alert that
 * prevents allocation. Throws Unavailable while a result is pending.
 */
export function resultsOf(
  tests: readonly string[],
  found: readonly ReportedValidation[] = [],
): HealthReportInput {
  const of = (id: string) => found.find((each) => each.id === id);
  const pending = tests.find((id) => of(id)?.result === "pending");
  if (pending !== undefined)
    throw new AppError("Unavailable", `the result of test ${pending}; it is pending`);
  const hasPassed = (id: string) => of(id)?.result === "passed";
  const classifications = [preventsAllocation];
  return {
    successes: tests.filter(hasPassed).map((id) => ({ id })),
    alerts: tests
      .filter((id) => !hasPassed(id))
      .map((id) => ({
        id,
        message: `expected test ${id} to pass; ${of(id)?.message || "nobody has reported a result"}`,
        classifications,
      })),
  };
}
