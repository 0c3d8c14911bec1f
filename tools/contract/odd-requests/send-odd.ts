// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { openConnection } from "../../../packages/protocol/src/test-support/raw-connection";

/** Response to a request as bytes: what callers can rely on, without ids and times. */
export interface OddResponse {
	/** Statuses of all responses on the connection; requests may be sent in a row. */
	readonly statuses: readonly number[];
	/** Code of the error, if it is one. */
	readonly code?: string;
	/** Field at fault. */
	readonly param?: string;
	/** Fields of the error. */
	readonly fields?: readonly string[];
	/** Headers of the first response that callers may decide by. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** Headers whose values are the same everywhere. */
const FIXED = ["content-type", "retry-after", "www-authenticate", "cache-control", "x-accel-buffering"];
/** Headers of which it counts that they are there. */
const PRESENT = ["x-request-id", "stemma-version", "allow"];

/** Sends bytes on a connection of their own, and reads until the server ends it. */
export async function sendOdd(port: number, bytes: Buffer): Promise<OddResponse> {
	const connection = openConnection(port);
	// A server that says no more ends the connection; one that does not is cut off, and the table shows what came.
	connection.socket.setTimeout(10_000, () => connection.socket.destroy());
	connection.write(bytes);
	const text = await connection.closed;
	const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
	const [head = "", ...rest] = text.split("\r\n\r\n");
	const body = rest.join("\r\n\r\n");
	const error = readError(body);
	return { statuses, headers: readHeaders(head), body, ...error };
}

function readHeaders(head: string): Record<string, string> {
	const all = new Map(
		head
			.split("\r\n")
			.slice(1)
			.map((line) => [
				line.slice(0, line.indexOf(":")).toLowerCase(),
				line.slice(line.indexOf(":") + 1).trim(),
			]),
	);
	const fixed = FIXED.flatMap((name) => (all.has(name) ? [[name, all.get(name) ?? ""]] : []));
	const present = PRESENT.flatMap((name) => (all.has(name) ? [[name, "…"]] : []));
	return Object.fromEntries([...fixed, ...present]);
}

function readError(body: string): Pick<OddResponse, "code" | "param" | "fields"> {
	try {
		const { error } = JSON.parse(body);
		if (typeof error?.request_id !== "string") return {};
		const fields = Object.keys(error).filter((name) => name !== "hint");
		return { code: error.code, ...(error.param !== undefined && { param: error.param }), fields };
	} catch {
		return {};
	}
}
