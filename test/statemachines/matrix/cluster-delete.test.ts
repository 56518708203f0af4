import { matrixOf } from "../../support/matrix/inside.ts";

matrixOf("cluster-delete");
