import { type ClientRequest, request } from "node:http";

/** A request whose body is written piece by piece. */
export interface OpenUpload {
	/** Resolves once the system has taken so much more of the body, or the service has answered. */
	write(bytes: number): Promise<void>;
	/** Ends the body. @returns the status and the text of the answer. */
	end(tail: string): Promise<UploadResponse>;
	readonly answer: Promise<UploadResponse>;
	readonly isAnswered: boolean;
	/** Bytes of the body that were written so far. */
	readonly written: number;
	/** Breaks the connection off. */
	abort(): void;
}

export interface UploadResponse {
	readonly status: number;
	readonly retryAfter: string | undefined;
	readonly text: string;
}

export interface OpenUploadOptions {
	readonly url: string;
	readonly token: string;
	readonly type: string;
	/** How the body begins. */
	readonly head: string;
	/** What follows, again and again. */
	readonly filler: string;
}

const CHUNK_BYTES = 65_536;

/** Starts to send a body and does not end it. */
export function openUpload({ url, token, type, head, filler }: OpenUploadOptions): OpenUpload {
	const headers = { authorization: `Bearer ${token}`, "content-type": type };
	const sending = request(url, { method: "POST", headers, agent: false });
	const answer = readResponse(sending);
	answer.catch(() => undefined);
	let isAnswered = false;
	answer.then(
		() => (isAnswered = true),
		() => (isAnswered = true),
	);
	const chunk = Buffer.from(filler.repeat(Math.ceil(CHUNK_BYTES / filler.length))).subarray(
		0,
		Math.floor(CHUNK_BYTES / filler.length) * filler.length,
	);
	let written = 0;
	sending.write(head);
	return {
		answer,
		get isAnswered() {
			return isAnswered;
		},
		get written() {
			return written;
		},
		async write(bytes) {
			for (const end = written + bytes; written < end && !isAnswered; written += chunk.byteLength)
				await Promise.race([
					new Promise<void>((resolve) => sending.write(chunk, () => resolve())),
					answer.then(
						() => undefined,
						() => undefined,
					),
				]);
		},
		end(tail) {
			sending.end(tail);
			return answer;
		},
		abort: () => sending.destroy(),
	};
}

const readResponse = (sending: ClientRequest): Promise<UploadResponse> =>
	new Promise((resolve, reject) => {
		sending.on("error", reject);
		sending.on("response", async (response) => {
			const text = (await response.setEncoding("utf8").toArray()).join("");
			const { statusCode = 0, headers } = response;
			resolve({ status: statusCode, retryAfter: headers["retry-after"], text });
		});
	});
