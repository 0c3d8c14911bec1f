import type { ChatModel } from "@stemma/core";
import { createModel } from "./model";
import { type BedrockOptions, readOptions } from "./options";

/**
 * A model of Amazon Bedrock, asked by Converse and ConverseStream: the IAM actions `bedrock:InvokeModel` and
 * `bedrock:InvokeModelWithResponseStream` suffice. Calls fail with a `ProviderError`; an aborted one with the reason of
 * its signal. Nothing is read from the environment.
 *
 * AWS keys sign each attempt anew, which needs WebCrypto: React Native has none, there a Bedrock API key works. A clock
 * that is wrong is set right by the vendor's, once a call.
 *
 * @throws ConfigurationError that names the option. Code `region_mismatch` for a model of another region, with the right
 * id; `signing_not_supported` for AWS keys where there is no WebCrypto.
 */
export function createBedrockModel(options: BedrockOptions): ChatModel {
	return createModel(readOptions(options));
}
