import type { SimulatedOperation } from "../behaviour.ts";
import { Rejection, reject } from "../rejection.ts";

const PATH = /^\/model\/([^/?]+)\/(converse|converse-stream)(?:\?.*)?$/;

/**
 * The operation and the model that a request line names.
 *
 * What leads nowhere, an ARN with its slash as it is for one, the vendor answers with the status 200 and a body of
 * its router. An id that stands in one segment but is not fully encoded is refused more strictly than by the vendor.
 */
export function checkPath(method: string, path: string): SimulatedOperation {
	const [, segment, name] = PATH.exec(path) ?? [];
	if (method !== "POST" || segment === undefined || name === undefined) return rejectOperation();
	const modelId = decode(segment);
	if (encodeURIComponent(modelId) !== segment) reject("The provided model identifier is invalid.");
	return { name: name as SimulatedOperation["name"], modelId };
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return reject("The provided model identifier is invalid.");
	}
}

function rejectOperation(): never {
	throw new Rejection(200, "UnknownOperationException", "There is no such operation.", {
		source: "com.amazon.coral.service",
		body: { Output: { __type: "com.amazon.coral.service#UnknownOperationException" }, Version: "1.0" },
	});
}
