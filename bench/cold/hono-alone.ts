import { Hono } from "hono";
import { handle } from "hono/aws-lambda";

/** The smallest API on Hono. */
const app = new Hono();
app.get("/healthz", (c) => c.body(null, 200));
export const handler = handle(app);
