import { isJsonObject } from "@stemma/core/internal";
import { createIdempotencyKey } from "../http/platform";
import type { Binding } from "./binding";

/** JSON-RPC 2.0 over HTTP (A2A 1.0, section 9). Errors may have no id: what could not be read had none. */
export const jsonRpc: Binding = (method, params) => {
	const id = createIdempotencyKey();
	return {
		request: { method: "POST", path: "", json: { jsonrpc: "2.0", id, method, params } },
		read(body) {
			if (!isJsonObject(body) || body.jsonrpc !== "2.0") return undefined;
			const { error, result } = body;
			if (isJsonObject(error) && typeof error.code === "number" && (body.id ?? id) === id)
				return { error: { rpcCode: error.code, message: error.message, details: error.data } };
			return body.id === id && result !== undefined ? { result } : undefined;
		},
	};
};
