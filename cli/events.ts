import { type CliCall, connect } from "./call.ts";
import { CliFailure } from "./exit.ts";
import { visible } from "./output/unsafe.ts";

/** `slipway event watch`: a line of JSON for each event, until Ctrl-C. */

export interface EventOptions {
  filter?: string;
  tenant?: string;
  after?: string;
}

const pause = 2000;

export async function watchEvents(call: CliCall<EventOptions>): Promise<undefined> {
  const { around, options } = call;
  const { client, area } = connect(call);
  const path = area === "private" ? "/api/private/v1/events/watch" : "/api/events/v1/events";
  const { filter, tenant } = options;
  const interrupted = around.interrupted();
  let position = options.after;
  while (!interrupted.aborted) {
    try {
      const query = { filter, tenant, last_event_id: position };
      const { headers, text } = await client.get(path, query, interrupted);
      position = headers.get("last-event-id") ?? position;
      around.out.write(visible(text === "" || text.endsWith("\n") ? text : `${text}\n`));
    } catch (error) {
      if (interrupted.aborted) break;
      if (!(error instanceof CliFailure && error.mayPass)) throw error;
      around.err.write(`${error.message}; trying again\n`);
      await around.pause(pause, interrupted);
    }
  }
  return undefined;
}
