import { Hono } from "hono";
import { handle } from "hono/aws-lambda";

/** The least that an API on Hono has. */
const app = new Hono();
app.get("/healthz", (c) => c.body(null, 200));
export const handler = handle(app);
