import type { Relaying } from "../kernel/relay/relay.ts";
import { followTimers } from "../kernel/relay/timers.ts";
import { onCountersChanged } from "../placement/capacity/note-room.ts";
import { wakeQueue } from "../placement/reserve/capacity-freed.ts";
import { followAllocations } from "./allocation/follow.ts";
import { followHosts } from "./baremetal-instance/host-notice.ts";
import { followSilence } from "./dpu/follow-silence.ts";
import { reactions } from "./generated/reactions.ts";
import { followHotPools } from "./host/hot-pool.ts";
import { publishing } from "./publishing.ts";
import { followNewTenants } from "./tenant/default-networking.ts";
import { queueDue } from "./webhook/queue.ts";

/** The dependencies of the relay in addition to `Deps`. */
export const relaying: typeof publishing & Pick<Relaying, "reactions" | "listeners"> = {
  ...publishing,
  reactions,
  listeners: [
    wakeQueue,
    onCountersChanged,
    queueDue,
    followHotPools,
    followHosts,
    followSilence,
    followTimers,
    followAllocations,
    followNewTenants,
  ],
};
