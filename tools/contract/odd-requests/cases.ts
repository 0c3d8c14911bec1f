import type { OddServer } from "./server";

/** A request that no ordinary client sends, and what both servers say to it. */
export interface OddCase {
	readonly name: string;
	readonly bytes: (server: OddServer) => string | Buffer;
	readonly expected: Expected;
	/** What the runtime says instead, and why it must. */
	readonly runtime?: { readonly expected: Expected; readonly reason: string };
}

export interface Expected {
	/** Several for requests in a row. */
	readonly status: number | readonly number[];
	readonly code?: string;
	readonly param?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** One request; the connection ends after it. @param body - left out: none. */
function write(server: OddServer, line: string, headers: Headers = {}, body?: string | Buffer): Buffer {
	const bytes = Buffer.from(body ?? "");
	const all: Headers = {
		host: server.host,
		authorization: server.authorization,
		connection: "close",
		...(body !== undefined && { "content-type": "application/json", "content-length": String(bytes.length) }),
		...headers,
	};
	const lines = Object.entries(all).flatMap(([name, value]) =>
		value === undefined ? [] : `${name}: ${value}\r\n`,
	);
	return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"), bytes]);
}

const VALID = '{"input":"Is anybody there?"}';
const run =
	(body: string | Buffer, headers: Headers = {}): OddCase["bytes"] =>
	(server) =>
		write(server, `POST ${server.run}`, headers, body);
const get =
	(path: string, headers: Headers = {}): OddCase["bytes"] =>
	(server) =>
		write(server, `GET ${path}`, headers);
const events =
	(query: string, headers: Headers = {}): OddCase["bytes"] =>
	(server) =>
		write(server, `GET ${server.events}${query}`, headers);
const nest = (levels: number): string =>
	`{"input":"x","context":{"a":${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}}}`;

const OK: Expected = { status: 200, headers: { "content-type": "application/json" } };
const STREAM: Expected = { status: 200, headers: { "content-type": "text/event-stream" } };
const invalid = (param?: string): Expected => ({
	status: 400,
	code: "invalid_request",
	...(param !== undefined && { param }),
});
const INVALID_JSON: Expected = { status: 400, code: "invalid_json" };
const WRONG_TYPE: Expected = { status: 415, code: "unsupported_media_type" };
const TOO_LARGE: Expected = { status: 413, code: "body_too_large" };
const NO_HOST: Expected = { status: 400, code: "invalid_host" };
const NO_ROUTE: Expected = { status: 404, code: "route_not_found" };
const NO_AGENT: Expected = { status: 404, code: "agent_not_found" };
const LISTS_AGENTS = "its callers may see all its agents, so the details of the error list them";
const COMPARES_AS_SENT = "its router compares paths as they were sent; no client of ours sends such a path";
const WRONG_METHOD: Expected = { status: 405, code: "method_not_allowed", headers: { allow: "…" } };

const bodies: readonly OddCase[] = [
	{ name: "a body without a type", bytes: run(VALID, { "content-type": undefined }), expected: WRONG_TYPE },
	{ name: "a body as text", bytes: run(VALID, { "content-type": "text/plain" }), expected: WRONG_TYPE },
	{ name: "a type that is empty", bytes: run(VALID, { "content-type": "" }), expected: WRONG_TYPE },
	{
		name: "a type that only begins like JSON",
		bytes: run(VALID, { "content-type": "application/jsonl" }),
		expected: WRONG_TYPE,
	},
	{
		name: "JSON in Latin-1",
		bytes: run(VALID, { "content-type": "application/json; charset=latin1" }),
		expected: WRONG_TYPE,
	},
	{
		name: "JSON in UTF-8, in quotes and capitals",
		bytes: run(VALID, { "content-type": 'Application/JSON ;charset="UTF-8"' }),
		expected: OK,
	},
	{
		name: "a type with another parameter",
		bytes: run(VALID, { "content-type": "application/json; profile=x" }),
		expected: OK,
	},
	{
		name: "a type of the JSON family",
		bytes: run(VALID, { "content-type": "application/vnd.api+json" }),
		expected: OK,
	},
	{ name: "an empty body", bytes: run(""), expected: INVALID_JSON },
	{ name: "white space", bytes: run(" \n\t"), expected: INVALID_JSON },
	{ name: "half a body", bytes: run('{"input":'), expected: INVALID_JSON },
	{ name: "a comma too many", bytes: run('{"input":"x",}'), expected: INVALID_JSON },
	{ name: "single quotes", bytes: run("{'input':'x'}"), expected: INVALID_JSON },
	{ name: "NaN", bytes: run('{"input":NaN}'), expected: INVALID_JSON },
	{ name: "a line break in a string", bytes: run('{"input":"a\nb"}'), expected: INVALID_JSON },
	{ name: "text behind the JSON", bytes: run(`${VALID}x`), expected: INVALID_JSON },
	{
		name: "bytes that are no UTF-8",
		bytes: run(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
		expected: INVALID_JSON,
	},
	{ name: "UTF-16", bytes: run(Buffer.from(VALID, "utf16le")), expected: INVALID_JSON },
	{ name: "a byte order mark", bytes: run(`\ufeff${VALID}`), expected: OK },
	{ name: "a key twice: the last one counts", bytes: run('{"input":1,"input":"x"}'), expected: OK },
	{
		name: "the key __proto__",
		bytes: run('{"input":"x","__proto__":{}}'),
		expected: { status: 400, code: "unknown_field", param: "__proto__" },
	},
	{ name: "a list", bytes: run("[]"), expected: invalid() },
	{ name: "a string", bytes: run('"x"'), expected: invalid() },
	{ name: "null", bytes: run("null"), expected: invalid() },
	{
		name: "an unknown field",
		bytes: run('{"input":"x","inptu":1}'),
		expected: { status: 400, code: "unknown_field", param: "inptu" },
	},
	{ name: "no input", bytes: run("{}"), expected: invalid("input") },
	{
		name: "a context that is a list",
		bytes: run('{"input":"x","context":[]}'),
		expected: invalid("context"),
	},
	{ name: "a stream that is text", bytes: run('{"input":"x","stream":"yes"}'), expected: invalid("stream") },
	{ name: "64 levels", bytes: run(nest(64)), expected: OK },
	{ name: "201 levels", bytes: run(nest(201)), expected: invalid("context.a[0]") },
	{ name: "100,000 levels", bytes: run(nest(100_000)), expected: invalid("context.a[0]") },
	{ name: "half of a character", bytes: run('{"input":"\\ud800"}'), expected: invalid("input") },
	{ name: "300,000 values", bytes: run(`{"input":[${"0,".repeat(300_000)}0]}`), expected: invalid() },
	{ name: "a list of 60,000", bytes: run(`{"input":[${"0,".repeat(60_000)}0]}`), expected: invalid("input") },
	{ name: "2 MiB and a little", bytes: run(`{"input":"${"x".repeat(2 ** 21)}"}`), expected: TOO_LARGE },
	{
		name: "2 MiB and a little, in chunks",
		bytes: (server) => {
			const size = 2 ** 21 + 1;
			const head = write(server, `POST ${server.run}`, {
				"content-type": "application/json",
				"transfer-encoding": "chunked",
			});
			return Buffer.concat([head, Buffer.from(`${size.toString(16)}\r\n${" ".repeat(size)}\r\n0\r\n\r\n`)]);
		},
		expected: TOO_LARGE,
	},
];

const headers: readonly OddCase[] = [
	{
		name: "no credentials",
		bytes: run(VALID, { authorization: undefined }),
		expected: { status: 401, code: "missing_credentials", headers: { "www-authenticate": "Bearer" } },
	},
	{ name: "eight hops", bytes: run(VALID, { "stemma-depth": "7" }), expected: OK },
	{
		name: "nine hops",
		bytes: run(VALID, { "stemma-depth": "9" }),
		expected: { status: 400, code: "agent_loop" },
	},
	{
		name: "hops that are no number",
		bytes: run(VALID, { "stemma-depth": "x" }),
		expected: invalid("stemma-depth"),
	},
	{
		name: "hops that are empty",
		bytes: run(VALID, { "stemma-depth": "" }),
		expected: invalid("stemma-depth"),
	},
	{
		name: "less than no hops",
		bytes: run(VALID, { "stemma-depth": "-1" }),
		expected: invalid("stemma-depth"),
	},
	{ name: "half a hop", bytes: run(VALID, { "stemma-depth": "1.5" }), expected: invalid("stemma-depth") },
	{
		name: "a key of 200 characters",
		bytes: run(VALID, { "idempotency-key": "k".repeat(200) }),
		expected: OK,
	},
	{
		name: "a key of 201 characters",
		bytes: run(VALID, { "idempotency-key": "k".repeat(201) }),
		expected: invalid("idempotency-key"),
	},
	{
		name: "an empty key",
		bytes: run(VALID, { "idempotency-key": "" }),
		expected: invalid("idempotency-key"),
	},
	{
		name: "a key with an umlaut",
		bytes: run(VALID, { "idempotency-key": "schlüssel" }),
		expected: invalid("idempotency-key"),
	},
	{ name: "a request id with blanks", bytes: run(VALID, { "x-request-id": "a b" }), expected: OK },
	{
		name: "Accept with text/event-stream",
		bytes: run(VALID, { accept: "application/json;q=0.1, TEXT/event-stream" }),
		expected: STREAM,
	},
	{
		name: "Accept with text/event-stream at q=0",
		bytes: run(VALID, { accept: "text/event-stream;q=0, */*" }),
		expected: OK,
	},
	{ name: "Accept with a longer type", bytes: run(VALID, { accept: "text/event-stream-x" }), expected: OK },
	{ name: "Accept with anything", bytes: run(VALID, { accept: "*/*" }), expected: OK },
	{ name: "Accept with nothing that there is", bytes: run(VALID, { accept: "image/png" }), expected: OK },
	{ name: "an empty Accept", bytes: run(VALID, { accept: "" }), expected: OK },
	{
		name: "stream: false against Accept",
		bytes: run('{"input":"x","stream":false}', { accept: "text/event-stream" }),
		expected: OK,
	},
	{ name: "Expect", bytes: run(VALID, { expect: "100-continue" }), expected: { status: [100, 200] } },
	{
		name: "headers of 20 kB",
		bytes: run(VALID, { "x-long": "x".repeat(20_000) }),
		expected: { status: 431, code: "headers_too_large" },
	},
	{ name: "two lengths", bytes: run(VALID, { "content-length": "5, 6" }), expected: invalid() },
	{ name: "a length below zero", bytes: run(VALID, { "content-length": "-1" }), expected: invalid() },
	{ name: "a length and chunks", bytes: run(VALID, { "transfer-encoding": "chunked" }), expected: invalid() },
	{
		name: "an unknown transfer coding",
		bytes: run(VALID, { "content-length": undefined, "transfer-encoding": "gzip" }),
		expected: invalid(),
	},
];

const watching: readonly OddCase[] = [
	{ name: "events from the first", bytes: events(""), expected: OK },
	{ name: "events as a stream", bytes: events("", { accept: "text/event-stream" }), expected: STREAM },
	{ name: "events after the last", bytes: events("?after=9007199254740991"), expected: OK },
	{ name: "an empty Last-Event-ID", bytes: events("?after=1", { "last-event-id": "" }), expected: OK },
	{
		name: "a Last-Event-ID that is text",
		bytes: events("", { "last-event-id": "x" }),
		expected: invalid("last-event-id"),
	},
	{
		name: "a Last-Event-ID below zero",
		bytes: events("", { "last-event-id": "-1" }),
		expected: invalid("last-event-id"),
	},
	{
		name: "a Last-Event-ID of 17 digits",
		bytes: events("", { "last-event-id": "1".repeat(17) }),
		expected: invalid("last-event-id"),
	},
	{ name: "after with an exponent", bytes: events("?after=1e3"), expected: invalid("after") },
	{ name: "an empty after", bytes: events("?after="), expected: invalid("after") },
	{ name: "a wait below zero", bytes: events("?wait_ms=-1"), expected: invalid("wait_ms") },
	{ name: "a wait that is too long", bytes: events("?wait_ms=25001"), expected: invalid("wait_ms") },
	{ name: "a wait that is text", bytes: events("?wait_ms=x"), expected: invalid("wait_ms") },
	{
		name: "an unknown parameter",
		bytes: events("?wiat_ms=1"),
		expected: { status: 400, code: "unknown_field", param: "wiat_ms" },
		runtime: { expected: OK, reason: "it reads a query only where it needs one: the route is its hot path" },
	},
	{
		name: "a run that does not exist",
		bytes: (server) => write(server, `GET ${server.unknownRun}`),
		expected: { status: 404, code: "run_not_found" },
	},
	{
		name: "an agent that does not exist",
		bytes: (server) => write(server, `POST ${server.unknownAgent}`, {}, VALID),
		expected: NO_AGENT,
		runtime: { expected: NO_AGENT, reason: LISTS_AGENTS },
	},
	{
		name: "cancelling without a body",
		bytes: (server) => write(server, `POST ${server.cancel}`, { "content-length": "0" }),
		expected: OK,
	},
	{
		name: "cancelling with an empty object",
		bytes: (server) => write(server, `POST ${server.cancel}`, {}, "{}"),
		expected: OK,
	},
];

const methods: readonly OddCase[] = [
	{
		name: "GET where POST is",
		bytes: (server) => write(server, `GET ${server.run}`),
		expected: WRONG_METHOD,
	},
	{
		name: "DELETE where POST is",
		bytes: (server) => write(server, `DELETE ${server.run}`),
		expected: WRONG_METHOD,
	},
	{
		name: "POST where GET is",
		bytes: (server) => write(server, `POST ${server.events}`, {}, "{}"),
		expected: WRONG_METHOD,
	},
	{ name: "TRACE", bytes: (server) => write(server, `TRACE ${server.run}`), expected: WRONG_METHOD },
	{
		name: "a method of its own",
		bytes: (server) => write(server, `FETCH ${server.run}`),
		expected: invalid(),
	},
	{
		name: "a method in small letters",
		bytes: (server) => write(server, `post ${server.run}`, {}, VALID),
		expected: invalid(),
	},
	{ name: "HEAD of a probe", bytes: (server) => write(server, "HEAD /healthz"), expected: { status: 200 } },
	{
		name: "OPTIONS without an origin",
		bytes: (server) => write(server, `OPTIONS ${server.run}`),
		expected: WRONG_METHOD,
	},
];

const targets: readonly OddCase[] = [
	{ name: "an unknown path", bytes: get("/nothing"), expected: NO_ROUTE },
	{ name: "a slash at the end", bytes: get("/healthz/"), expected: NO_ROUTE },
	{ name: "two slashes", bytes: get("//healthz"), expected: NO_ROUTE },
	{ name: "a query that nobody reads", bytes: get("/healthz?x=%zz"), expected: OK },
	{ name: "capitals", bytes: get("/HEALTHZ"), expected: NO_ROUTE },
	{
		name: "a letter as a percent code",
		bytes: get("/%68ealthz"),
		expected: OK,
		runtime: { expected: NO_ROUTE, reason: COMPARES_AS_SENT },
	},
	{
		name: "a broken percent code",
		bytes: (server) => write(server, `POST ${server.unknownAgent.replace("nobody", "%zz")}`, {}, VALID),
		expected: NO_AGENT,
		runtime: { expected: NO_AGENT, reason: LISTS_AGENTS },
	},
	{
		name: "a slash as a percent code",
		bytes: (server) => write(server, `POST ${server.unknownAgent.replace("nobody", "a%2fb")}`, {}, VALID),
		expected: NO_AGENT,
		runtime: { expected: NO_AGENT, reason: LISTS_AGENTS },
	},
	{
		name: "a null byte as a percent code",
		bytes: (server) => write(server, `POST ${server.unknownAgent.replace("nobody", "a%00b")}`, {}, VALID),
		expected: NO_AGENT,
		runtime: { expected: NO_AGENT, reason: LISTS_AGENTS },
	},
	{
		name: "dots",
		bytes: get("/nothing/../healthz"),
		expected: OK,
		runtime: { expected: NO_ROUTE, reason: COMPARES_AS_SENT },
	},
	{ name: "a backslash", bytes: get("/healthz\\x"), expected: invalid() },
	{
		name: "a whole address",
		bytes: (server) => write(server, `GET http://${server.host}/healthz`),
		expected: OK,
	},
	{
		name: "a whole address of another host",
		bytes: (server) => write(server, "GET http://other.example/healthz", { host: server.host }),
		expected: OK,
	},
	{
		name: "an address of another scheme",
		bytes: (server) => write(server, `GET ftp://${server.host}/healthz`),
		expected: invalid(),
	},
	{ name: "an address with a password", bytes: get("http://a:b@127.0.0.1/healthz"), expected: invalid() },
	{ name: "an asterisk", bytes: get("*"), expected: invalid() },
	{ name: "no slash", bytes: get("healthz"), expected: invalid() },
	{ name: "a blank in the path", bytes: get("/health z"), expected: invalid() },
	{ name: "no Host", bytes: get("/healthz", { host: undefined }), expected: NO_HOST },
	{ name: "two Hosts", bytes: get("/healthz", { Host: "other.example" }), expected: NO_HOST },
	{ name: "a Host with a blank", bytes: get("/healthz", { host: "a b" }), expected: NO_HOST },
	{ name: "a Host with a user", bytes: get("/healthz", { host: "a@b" }), expected: NO_HOST },
	{ name: "a Host that is empty", bytes: get("/healthz", { host: "" }), expected: NO_HOST },
	{ name: "nonsense", bytes: () => "nonsense\r\n\r\n", expected: invalid() },
	{ name: "HTTP/2", bytes: () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", expected: invalid() },
	{
		name: "a header without a colon",
		bytes: (server) => `GET /healthz HTTP/1.1\r\nhost: ${server.host}\r\nnonsense\r\n\r\n`,
		expected: invalid(),
	},
	{
		name: "two requests in a row",
		bytes: (server) =>
			Buffer.concat([
				write(server, "GET /healthz", { connection: "keep-alive" }),
				write(server, "GET /healthz"),
			]),
		expected: { status: [200, 200] },
	},
	{
		name: "17 requests in a row: the connection ends after 16",
		bytes: (server) =>
			Buffer.concat(
				Array.from({ length: 17 }, () => write(server, "GET /healthz", { connection: "keep-alive" })),
			),
		expected: { status: Array.from({ length: 16 }, () => 200) },
	},
	{
		name: "a request behind one that is refused",
		bytes: (server) =>
			Buffer.concat([
				write(server, "GET /nothing", { connection: "keep-alive" }),
				write(server, "GET /healthz"),
			]),
		expected: { status: [404, 200] },
	},
];

/** Odd requests, by what is odd about them. */
export const ODD_CASES = { bodies, headers, watching, methods, targets } as const;
