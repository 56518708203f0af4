import { matrixOf } from "../../support/matrix/cases.ts";
import { clusters } from "../../support/matrix/clusters.ts";

matrixOf(clusters, "cluster-renew", "requests");
