import { matrixOf } from "../../../../support/matrix/cases.ts";
import { toys } from "../../../../support/matrix/toys.ts";

matrixOf(toys, "toy-change", "requests");
