import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { type Kind, pluralOf } from "../../core/kernel/object/object.ts";
import { type Action, type Actions, act } from "../../core/kernel/request/action.ts";
import type { Area } from "../../core/kernel/request/permissions.ts";
import { acceptedAnswer } from "./answer.ts";
import type { Call } from "./call.ts";
import { rolesFor } from "./permissions.ts";
import { matchOf } from "./preconditions.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

/** The routes of a kind's actions that the table of permissions allows in an area. */
export function actionRoutes<K extends Kind>(area: Area, kind: K, actions: Actions<K>): Route[] {
  return Object.entries(actions)
    .filter(([verb]) => rolesFor(area, kind, verb).length > 0)
    .map(([verb, action]) => {
      const { summary, description, path = verb, schema, example, takesVersion = true } = action;
      return route({
        ...{ area, subject: kind, verb, summary, description },
        method: "POST",
        path: `${prefixes[area]}/${pluralOf(kind)}/{id}/${path}`,
        body: schema ?? emptyBody,
        ...(example && { example }),
        ...(takesVersion && { headers: ["If-Match"] }),
        ...(action.isCredential && { isCredential: true }),
        response: ("answer" in action && action.answer) || (() => schemaIn(area, kind)),
        handle: (call) => actionAnswer(call, kind, action),
      });
    });
}

async function actionAnswer<K extends Kind>(
  call: Call,
  kind: K,
  action: Action<K>,
): Promise<Response> {
  const { deps, caller } = call;
  const { schema } = action;
  const input = schema && parseOrRefuse(schema, await call.body(schema));
  const request = { deps, caller, id: call.param("id"), match: matchOf(call), input };
  const done = await act(kind, action, request);
  if (action.isCredential) call.c.header("Cache-Control", "no-store");
  return "answer" in done ? call.c.json(done.answer) : acceptedAnswer(call, done);
}
