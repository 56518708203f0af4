import { matrixOf } from "../../support/matrix.ts";

matrixOf("cluster-scale-down");
