import { asText, type Fields, parseObject } from "../http/lenient-json";
import type { ErrorResponse } from "../http/send-with-retry";
import type { VendorFailure } from "../http/to-provider-error";
import { findRejectedField } from "./dialect";
import type { EventMessage } from "./event-stream";
import { FAILURES, MESSAGES } from "./failures";
import { toProfilePrefix } from "./region/inference-profile";

/** Failure of a response that does not have Bedrock's format. */
export const UNEXPECTED_FORMAT: VendorFailure = { code: "bad_response" };
export const DAMAGED: VendorFailure = {
	code: "bad_response",
	hint: "Try again. If it happens often, look for a proxy that changes responses.",
};
export const MALFORMED: VendorFailure = {
	code: "bad_response",
	hint: "Try again, or set `model` to another: its reply could not be read.",
};

/** Context of a refused call, for its error. */
export interface CallContext {
	readonly model: string;
	readonly region: string | undefined;
}

/** Maps a response with a status other than 200 to a failure. */
export function readErrorResponse(
	{ status, headers, text }: ErrorResponse,
	context: CallContext,
): VendorFailure {
	const body = parseObject(text) ?? { message: text };
	const type = headers.get("x-amzn-errortype") ?? asText(body.__type ?? body.code);
	const failure = toFailure(type, body, `${status}`);
	const hint = failure.code === "needs_inference_profile" ? toProfileHint(context) : undefined;
	const isTransient = failure.code === "overloaded" || failure.code === "rate_limited";
	return {
		...failure,
		...(hint && { hint }),
		...(status === 424 && { isTransient }),
	};
}

/** Maps a message of a stream that is not an event, but an exception or an error, to a failure. */
export function readErrorMessage({ headers, body }: EventMessage): VendorFailure {
	const read = (name: string): string => asText(headers[name]?.value);
	const kind = read(":message-type");
	if (kind === "error") return toFailure(read(":error-code"), { message: read(":error-message") });
	if (kind !== "exception") return UNEXPECTED_FORMAT;
	return toFailure(read(":exception-type"), parseObject(new TextDecoder().decode(body)) ?? {});
}

function toFailure(type: string, body: Fields, status = ""): VendorFailure {
	const { message, Message, originalMessage, originalStatusCode } = body;
	const text = `${asText(message ?? Message)} ${asText(originalMessage)}`.toLowerCase().replace(/\s+/g, " ");
	const modelStatus = typeof originalStatusCode === "number" ? originalStatusCode : "";
	const errorText = `${status}/${modelStatus} ${toType(type)}: ${text}`;
	const [code, , hint, field] = FAILURES.find(([, pattern]) => pattern.test(errorText)) ?? ["overloaded"];
	const rejectedField = field ?? (code === "bad_request" ? findRejectedField(text) : undefined);
	return {
		code,
		...MESSAGES[code],
		...(rejectedField && { field: rejectedField, isUnknownField: field === undefined }),
		...(hint && { hint }),
	};
}

/** `com.amazon.coral.service#ThrottlingException:http://…` is `throttling`. */
function toType(text: string): string {
	const name = text.split(":")[0]?.split("#").at(-1) ?? "";
	return name.toLowerCase().replace(/exception$/, "");
}

/** Undefined where the usual one cannot be told. */
function toProfileHint({ model, region }: CallContext): string | undefined {
	const prefix = model.startsWith("arn:") ? undefined : toProfilePrefix(region);
	return prefix && `Set \`model\` to the id of an inference profile: \`${prefix}.${model}\`.`;
}
