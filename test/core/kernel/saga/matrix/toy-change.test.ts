import { matrixOf } from "../../../../support/matrix/inside.ts";
import { toys } from "../../../../support/matrix/toys.ts";

matrixOf(toys, "toy-change");
