import { serve } from "@hono/node-server";

/** Serves a web-standard handler on any free port of this machine. Resolves with the address. */
export const listen = (fetch) =>
	new Promise((resolve) => {
		const options = { fetch, port: 0, hostname: "127.0.0.1" };
		serve(options, ({ port }) => resolve(`http://127.0.0.1:${port}`));
	});
