import { connect, type Socket } from "node:net";
import type { Attack } from "../attacker/attack.ts";
import { HOSTILE_ADDRESS, type Hostile } from "../attacker/hostile.ts";

/** What is seen of a raw connection: the first status, `closed`, or `open` where nothing came. */
const EXPECTED = ["raw *"];

type Write = (socket: Socket, hostile: Hostile) => Promise<void> | void;

const raw = (
	name: string,
	write: Write,
	{ everyMs = 500, concurrency = 10, lingerMs = 2000, unread = false } = {},
): Attack => ({
	name,
	expects: EXPECTED,
	everyMs,
	concurrency,
	start: (hostile) => async () => {
		await hostile.pacer.acquire();
		await openConnection(hostile, write, lingerMs, unread);
	},
});

/** Opens a connection, writes, waits, and notes what came. A status of 500 and above is noted as an answer is. */
function openConnection(hostile: Hostile, write: Write, lingerMs: number, unread: boolean): Promise<void> {
	const { hostname, port } = new URL(hostile.url);
	return new Promise((resolve) => {
		const socket = connect({ port: Number(port), host: hostname, localAddress: HOSTILE_ADDRESS });
		let text = "";
		let isClosed = false;
		let isNoted = false;
		const end = (): void => {
			if (isNoted) return;
			isNoted = true;
			clearTimeout(timer);
			hostile.signal.removeEventListener("abort", end);
			socket.destroy();
			const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
			const bad = statuses.find((status) => Number(status) >= 500 && status !== "503");
			hostile.tally.note(
				bad === undefined ? `raw ${statuses[0] ?? (isClosed ? "closed" : "open")}` : `${bad} raw`,
			);
			resolve();
		};
		const timer = setTimeout(end, lingerMs);
		hostile.signal.addEventListener("abort", end);
		socket.on("error", () => undefined);
		socket.on("close", () => {
			isClosed = true;
			end();
		});
		if (unread) socket.pause();
		else socket.on("data", (chunk) => (text = `${text}${chunk}`.slice(0, 100_000)));
		socket.on("connect", () => void write(socket, hostile));
	});
}

const head = (hostile: Hostile, line: string, more = ""): string =>
	`${line} HTTP/1.1\r\nhost: ${new URL(hostile.url).host}\r\nauthorization: Bearer ${hostile.token()}\r\n${more}`;

async function drip(socket: Socket, hostile: Hostile, text: string, everyMs: number): Promise<void> {
	for (const letter of text) {
		if (socket.destroyed || hostile.signal.aborted) return;
		socket.write(letter);
		await hostile.pause(everyMs);
	}
}

const TYPE = "content-type: application/json\r\n";

/** A stream that is asked for and never read. */
const readNothing =
	({ path, body }: ConnectionRoutes["stream"]): Write =>
	(socket, hostile) => {
		const text = JSON.stringify(body);
		socket.write(`${head(hostile, `POST ${path}`, TYPE)}content-length: ${text.length}\r\n\r\n${text}`);
	};

/** Routes that the attacks name. */
export interface ConnectionRoutes {
	/** A route that reads JSON. */
	readonly post: string;
	/** A route with a long answer. */
	readonly get: string;
	/** A request for a stream. */
	readonly stream: { readonly path: string; readonly body: object };
}

/** Connections that do what no client does. */
export const createConnectionAttacks = ({ post, get, stream }: ConnectionRoutes): readonly Attack[] => [
	raw("idle-connections", () => undefined, { concurrency: 200, lingerMs: 30_000 }),
	raw(
		"slow-headers",
		(socket, hostile) => drip(socket, hostile, head(hostile, "GET /healthz", "x-slow: yes"), 300),
		{
			concurrency: 100,
			lingerMs: 20_000,
		},
	),
	raw(
		"slow-bodies",
		async (socket, hostile) => {
			socket.write(`${head(hostile, `POST ${post}`, TYPE)}content-length: 100000\r\n\r\n`);
			await drip(socket, hostile, '{"question": "'.padEnd(2000, "x"), 300);
		},
		{ concurrency: 60, lingerMs: 30_000 },
	),
	raw(
		"tiny-chunks",
		async (socket, hostile) => {
			socket.write(`${head(hostile, `POST ${post}`, TYPE)}transfer-encoding: chunked\r\n\r\n`);
			for (let sent = 0; sent < 200 && !socket.destroyed; sent++) {
				socket.write("1\r\nx\r\n".repeat(1000));
				await hostile.pause(5);
			}
		},
		{ concurrency: 4, lingerMs: 5000 },
	),
	raw(
		"chunk-extensions",
		(socket, hostile) => {
			socket.write(
				`${head(hostile, `POST ${post}`, TYPE)}transfer-encoding: chunked\r\n\r\n${`1;${"e".repeat(10_000)}\r\nx\r\n`.repeat(200)}`,
			);
		},
		{ concurrency: 4 },
	),
	raw(
		"large-headers",
		(socket, hostile) => {
			socket.write(`${head(hostile, `GET ${get}`, `x: ${"y".repeat(15_000)}\r\n`)}\r\n`);
		},
		{ everyMs: 200 },
	),
	raw(
		"headers-too-large",
		(socket, hostile) => {
			socket.write(`${head(hostile, `GET ${get}`, `x: ${"y".repeat(100_000)}\r\n`)}\r\n`);
		},
		{ everyMs: 200 },
	),
	raw(
		"many-headers",
		(socket, hostile) => {
			socket.write(`${head(hostile, `GET ${get}`, "a:b\r\n".repeat(3000))}\r\n`);
		},
		{ everyMs: 200 },
	),
	raw(
		"pipelining",
		(socket, hostile) => {
			socket.write(`${head(hostile, `GET ${get}`)}\r\n`.repeat(300));
		},
		{ concurrency: 2, everyMs: 1000 },
	),
	raw(
		"pipelining-behind-refusals",
		(socket, hostile) => {
			const refused = `${head(hostile, "POST /nowhere")}content-length: 5000000\r\n\r\n${"x".repeat(10_000)}`;
			socket.write(refused);
		},
		{ concurrency: 4 },
	),
	raw(
		"expect-without-a-body",
		(socket, hostile) => {
			socket.write(
				`${head(hostile, `POST ${post}`, `${TYPE}expect: 100-continue\r\n`)}content-length: 1000000\r\n\r\n`,
			);
		},
		{ concurrency: 30, lingerMs: 10_000 },
	),
	raw("two-hosts", (socket, hostile) => {
		socket.write(`${head(hostile, `GET ${get}`, "host: other.example\r\n")}\r\n`);
	}),
	raw("absolute-targets", (socket, hostile) => {
		socket.write(`${head(hostile, "GET http://other.example/healthz")}\r\n`);
	}),
	raw("smuggling", (socket, hostile) => {
		socket.write(
			`${head(hostile, `POST ${post}`, TYPE)}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /`,
		);
	}),
	raw("no-http", (socket, { random }) => {
		socket.write(Buffer.from(Array.from({ length: 500 }, () => random.between(0, 255))));
	}),
	raw("half-closed", (socket, hostile) => {
		socket.end(`${head(hostile, `POST ${post}`, TYPE)}content-length: 100\r\n\r\n{"question"`);
	}),
	raw("connect-and-leave", (socket) => void socket.destroy(), { everyMs: 20, concurrency: 4 }),
	raw(
		"request-and-leave",
		async (socket, hostile) => {
			const body = '{"query":"the refund parcel"}';
			socket.write(`${head(hostile, `POST ${post}`, TYPE)}content-length: ${body.length}\r\n\r\n${body}`);
			await hostile.pause(2);
			socket.resetAndDestroy();
		},
		{ everyMs: 50, concurrency: 4 },
	),
	raw("unread-streams", readNothing(stream), { concurrency: 40, lingerMs: 20_000, unread: true }),
	raw(
		"unread-lists",
		(socket, hostile) => {
			socket.write(`${head(hostile, `GET ${get}`)}\r\n`.repeat(100));
		},
		{ concurrency: 20, lingerMs: 15_000, unread: true },
	),
	raw("upgrade", (socket, hostile) => {
		socket.write(`${head(hostile, `GET ${post}`, "connection: upgrade\r\nupgrade: websocket\r\n")}\r\n`);
	}),
];
