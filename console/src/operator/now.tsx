import { Link } from "react-router";
import { pace, useStatus } from "../api/read.ts";
import type { Status } from "../generated/answers.ts";
import { CommandLine } from "../ui/copy.tsx";
import { Empty } from "../ui/empty.tsx";
import { Notice } from "../ui/notice.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Ago } from "../ui/time.tsx";
import { cardsOf } from "./attention.ts";
import { Bar } from "./bar.tsx";
import { Inbox } from "./inbox.tsx";
import { BeyondSla } from "./late.tsx";
import styles from "./now.module.css";
import { signed } from "./trend.tsx";
import { Allocations, Queues, Waits } from "./waits.tsx";

/** The status page: what needs an operator, what waits, what runs out next. */
export function Now() {
  const read = useStatus(pace.list);
  return (
    <Page title={titleOf(read.data)} name="Now">
      <Loaded read={read} waiting="Reading the state of everything …">
        {(status) => (
          <div className={styles.now}>
            <div className={styles.needs}>
              <Switches {...status} />
              <Inbox {...status} />
              <Counts {...status} />
              <Waits {...status} />
              <Queues {...status} />
              <BeyondSla {...status} />
              <Allocations {...status} />
            </div>
            <div className={styles.trends}>
              <NextOut {...status} />
              <Hubs {...status} />
              <Objects {...status} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** How much needs an operator; the page's name until that is known. */
function titleOf(status: Status | undefined): string {
  if (!status) return "Now";
  const count = cardsOf(status.attention).length;
  if (count === 0) return "Nothing needs you";
  return count === 1 ? "1 thing needs you" : `${count} things need you`;
}

function Switches({ switches: { intake, removal } }: Status) {
  return (
    <>
      {intake.paused && (
        <Notice state="failed">
          Changes by tenants are refused since {intake.at}, by {intake.by}. To resume:{" "}
          <CommandLine line="slipway intake resume" />
        </Notice>
      )}
      {removal.paused && (
        <Notice state="stalled">
          Orphans are not removed since {removal.at}, by {removal.by}. To remove them again:{" "}
          <CommandLine line="slipway removal resume" />
        </Notice>
      )}
    </>
  );
}

/** What runs now, in one line; nothing is said of what there is none of. */
function Counts({ operations }: Status) {
  const { running, waiting, stalled, pending, queued, unread } = operations;
  const counts = [
    [running, "in progress"],
    [waiting, "waiting"],
    [stalled, "late"],
    [pending + queued, "not started"],
  ].filter(([count]) => count !== 0);
  return (
    <p className="quiet">
      {counts.length === 0
        ? "No operation runs."
        : `Operations: ${counts.map((each) => each.join(" ")).join(", ")}.`}
      {unread > 0 && ` At least ${unread} more were not read.`}
    </p>
  );
}

/** How many objects of each kind there are, and how many of them change. */
function Objects({ objects }: Status) {
  const known = objects.filter(({ total }) => total > 0);
  if (known.length === 0)
    return (
      <Empty command="slipway cluster create demo --template …">Nothing is ordered yet.</Empty>
    );
  return (
    <section className="card">
      <h2>Objects</h2>
      <ul className={styles.objects}>
        {known.map(({ kind, total, creating, changing, deleting, failed }) => (
          <li key={kind}>
            <span>{kind.replaceAll("_", " ")}</span>
            <span className={styles.number}>{total}</span>
            <span className={`quiet ${styles.doing}`}>
              {[
                [creating, "creating"],
                [changing, "changing"],
                [deleting, "deleting"],
                [failed, "failed"],
              ]
                .filter(([count]) => count !== 0)
                .map((each) => each.join(" "))
                .join(", ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Hubs({ hubs }: Status) {
  return (
    <section className="card">
      <h2>
        Hubs: {hubs.ready} of {hubs.total} ready
      </h2>
      {hubs.total === 0 && <p className="quiet">None is registered yet.</p>}
      <ul className={styles.hubs}>
        {hubs.items.map(({ id, name, state, cordoned, unobserved, message, last_heard_time }) => (
          <li key={id}>
            <Link to={`/hubs#${id}`}>{name || id}</Link> <State state={state} />{" "}
            {cordoned && <State state="cordoned" tone="stalled" />}{" "}
            {unobserved && <State state="unobserved" tone="stalled" />}
            {message !== undefined && <p>{message}</p>}
            <p className="quiet">
              last report <Ago time={last_heard_time} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NextOut({ next_out }: Status) {
  return (
    <section className="card">
      <h2>Runs out next</h2>
      {next_out.length === 0 && (
        <p className="quiet">Orders are not possible yet: there are no hubs.</p>
      )}
      <ul className={styles.next}>
        {next_out.map((item) => {
          const { resource, host_type, pool, site, region, free, per_day, days_left } = item;
          const what = [resource.replaceAll("_", " "), host_type].filter(Boolean).join(" · ");
          const where = [pool, site ?? region].filter(Boolean).join(" · ");
          return (
            <li key={`${what} ${where}`}>
              <span>
                {what} <span className="quiet">{where}</span>
              </span>
              <span className={styles.number}>{free} free</span>
              <Bar {...item} />
              <span className={`quiet ${styles.number}`}>
                {days_left === undefined ? `${signed(per_day)} a day` : `lasts ${days_left} days`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
