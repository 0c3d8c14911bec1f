import type { IncomingHttpHeaders } from "node:http";
import type { BodyName } from "./behaviour.ts";

/** Response body of a hostile server, with its headers. */
export interface Body {
	readonly type: string;
	readonly content: string | Buffer;
	/** Besides the content type. */
	readonly headers?: Readonly<Record<string, string>>;
}

const TEN_MEGABYTES = 10 * 1024 * 1024;

/** A body for an answer to a request with these headers. */
export function toBody(name: BodyName | { readonly text: string }, headers: IncomingHttpHeaders): Body {
	if (typeof name === "object") return { type: "application/json", content: name.text };
	return BODIES[name](headers);
}

const error = (message: string, rest: object = {}): string =>
	JSON.stringify({
		error: { code: "some_code", message, hint: "Some hint.", request_id: "req_body", ...rest },
	});

const BODIES: Readonly<Record<BodyName, (headers: IncomingHttpHeaders) => Body>> = {
	"api-error": () => ({ type: "application/json", content: error("Some message.") }),
	html: () => ({ type: "text/html", content: "<!doctype html><title>Welcome</title><h1>It works!</h1>" }),
	garbage: () => ({
		type: "application/octet-stream",
		content: Buffer.from([0, 255, 254, 128, 13, 10, 0, 1]),
	}),
	"half-json": () => ({ type: "application/json", content: '{"error":{"code":"cut' }),
	huge: () => ({ type: "application/json", content: error("x".repeat(TEN_MEGABYTES)) }),
	echo: (headers) => {
		const echo = repeatCredentials(headers);
		return { type: "application/json", content: error(echo, { hint: echo, param: echo, details: { echo } }) };
	},
	"header-echo": (headers) => ({
		type: "application/json",
		content: error("Some message."),
		headers: { "x-request-id": repeatCredentials(headers) },
	}),
	"escaped-echo": (headers) => {
		const escaped = [...repeatCredentials(headers)]
			.map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)
			.join("");
		return {
			type: "application/json",
			content: `{"error":{"code":"some_code","message":"${escaped}","details":{"said":"${escaped}"}}}`,
		};
	},
};

const repeatCredentials = ({
	authorization = "",
	"stemma-run-token": runToken = "",
}: IncomingHttpHeaders): string => `You sent ${authorization} ${String(runToken)}`;
