import { wordsOf } from "../saga/shape.ts";
import { Notice } from "../ui/notice.tsx";
import { waitsForPerson } from "../ui/state.tsx";
import { Ago, For } from "../ui/time.tsx";
import type { Ordered } from "./ordered.ts";

/** Why an order is stopped and what it waits for, in full, with the API's message. */
export function Sentence({ object: { status } }: { object: Ordered }) {
  const { stalled, failure, message } = status;
  const waiting = (status.waiting ?? []).filter(({ step }) => step !== stalled?.step);
  // For a stuck removal only the message has the reason, since the object has not failed.
  const isStuck = waiting.some(waitsForPerson);
  return (
    <div className="stack">
      {failure && (
        <Notice state={status.state.endsWith("FAILED") ? "failed" : "stuck"}>
          {failure.step !== undefined && <strong>{wordsOf(failure.step)}: </strong>}
          {failure.message}
        </Notice>
      )}
      {stalled && (
        <Notice state="stalled">
          <strong>{wordsOf(stalled.step)}</strong> has taken longer than usual for{" "}
          <For since={stalled.since} />: {stalled.message}
          <Tries {...status.waiting?.find(({ step }) => step === stalled.step)} />
        </Notice>
      )}
      {!failure && isStuck && message && <Notice state="stuck">{message}</Notice>}
      {waiting.map((wait) => (
        <Notice key={wait.step} state="waiting">
          {waitsForPerson(wait) ? (
            <>
              <strong>Stuck</strong>: waiting for {wait.message}
            </>
          ) : (
            <>
              <strong>{wordsOf(wait.step)}</strong> has waited <For since={wait.since} />
              {wait.system !== undefined && ` for ${wait.system}`}: {wait.message}
              <Tries {...wait} />
            </>
          )}
        </Notice>
      ))}
      {!failure && !stalled && waiting.length === 0 && message ? <p>{message}</p> : null}
    </div>
  );
}

/** The unanswered call, its attempts, and the time of the next one; shown to the provider. */
function Tries({
  call,
  attempts,
  next_attempt_time: next,
}: {
  call?: string;
  attempts?: number;
  next_attempt_time?: string;
}) {
  if (attempts === undefined) return null;
  return (
    <span className="quiet">
      {" "}
      ({call !== undefined && `${call}; `}
      {attempts} {attempts === 1 ? "attempt" : "attempts"}
      {next !== undefined && (
        <>
          , next attempt <Ago time={next} />
        </>
      )}
      )
    </span>
  );
}
