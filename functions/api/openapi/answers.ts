import { documentationOf, type Example } from "../../../core/kernel/request/documentation.ts";
import { documentations } from "../../../core/resources/generated/documentations.ts";
import { isRegisteredKind } from "../registry.ts";
import type { Route } from "../route.ts";

/** The examples of answers in the folders of kinds. */

const ofOne = new Set(["get", "create", "update", "cancel", "resume", "retry", "rotate"]);

/** The example of a route's answer, with its name; undefined for none. */
export function answerExample({ subject, verb }: Route): [string, Example] | undefined {
  if (!isRegisteredKind(subject)) return undefined;
  if (ofOne.has(verb)) return [subject, documentationOf(documentations, subject).answer];
  if (verb !== "list") return undefined;
  return [
    `${subject}_list`,
    { size: 1, total: 1, items: [documentationOf(documentations, subject).answer] },
  ];
}

/** The examples of all routes, each once, as components. */
export const exampleComponents = (routes: Route[]): Record<string, { value: Example }> =>
  Object.fromEntries(
    routes.flatMap((route) => {
      const found = answerExample(route);
      return found ? [[found[0], { value: found[1] }]] : [];
    }),
  );
