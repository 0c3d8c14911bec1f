import express from "express";

/** A server that remembers what it is asked, and tells it at `/seen`. */
export function createPeer() {
	const seen = [];
	const app = express();
	app.get("/seen", (_request, response) => response.json(seen));
	app.use(express.json({ type: ["application/json", "application/a2a+json"], limit: "20mb" }));
	app.use((request, _response, next) => {
		const { method: http, path, headers, body } = request;
		seen.push({ http, path, rpc: body?.method, params: body?.params, headers });
		next();
	});
	return {
		app,
		/** Something besides requests. */
		record: (event) => void seen.push(event),
		listen(prepare = () => {}) {
			const server = app.listen(0, "127.0.0.1", () => {
				const url = `http://127.0.0.1:${server.address().port}`;
				prepare(url);
				console.log(`It listens on ${url}`);
			});
		},
	};
}
