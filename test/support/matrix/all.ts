import { clusters } from "./clusters.ts";
import { type Combination, combinationsOf } from "./derive.ts";
import { dpus } from "./dpus.ts";
import { hosts } from "./hosts.ts";
import { networks } from "./networks.ts";
import type { Subject } from "./stage.ts";
import { toys } from "./toys.ts";

/** Every saga in the matrix, with all its combinations. */

export const subjects: readonly Subject[] = [clusters, hosts, dpus, networks, toys];

export const combinations: readonly Combination[] = subjects.flatMap((subject) =>
  Object.keys(subject.changes).flatMap((saga) => combinationsOf(subject, saga)),
);
