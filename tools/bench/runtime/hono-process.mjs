// A Hono server and nothing else: `node hono-process.mjs <port>`.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.get("/healthz", (context) => context.json({ status: "ok", agents: { ready: 0, invalid: 0 } }));
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: "127.0.0.1" });
