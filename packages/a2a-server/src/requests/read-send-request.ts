import type { A2aMessage, A2aPushConfigInput } from "@stemma/client/a2a";
import { type Params, readBoolean, readHistoryLength, readObject } from "./params";
import { readMessage } from "./read-message";
import { type OutputFormat, readOutputFormat } from "./read-output-format";
import { readPushConfig } from "./read-push-config";

/** Request of `SendMessage` and `SendStreamingMessage`. */
export interface SendRequest {
	readonly message: A2aMessage;
	readonly historyLength?: number | undefined;
	readonly returnImmediately: boolean;
	/** Media types of the answer that the caller can read. */
	readonly outputFormat: OutputFormat;
	readonly pushConfig?: A2aPushConfigInput | undefined;
}

/** @throws A2aServerError `INVALID_PARAMS`. */
export function readSendRequest(params: Params): SendRequest {
	const configuration = readObject(params, "configuration") ?? {};
	const pushPath = "configuration.taskPushNotificationConfig";
	const push = readObject(configuration, "taskPushNotificationConfig", pushPath);
	return {
		message: readMessage(params),
		historyLength: readHistoryLength(configuration, "configuration.historyLength"),
		returnImmediately:
			readBoolean(configuration, "returnImmediately", "configuration.returnImmediately") ?? false,
		outputFormat: readOutputFormat(configuration),
		pushConfig: push === undefined ? undefined : readPushConfig(push, pushPath),
	};
}
