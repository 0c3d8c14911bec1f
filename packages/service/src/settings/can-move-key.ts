import { isSameBedrockPartition } from "@stemma/routing/bedrock";
import type { ModelEndpoint } from "../models/create-model";

type Endpoint = Pick<ModelEndpoint, "provider" | "base_url">;

/**
 * Checks whether a key that was stored for one endpoint may be sent to another: only to the same one, or from one
 * region of AWS to another of its partition. Otherwise, anyone who may edit settings could send the key to a server of
 * their own.
 */
export const canMoveKey = (stored: Endpoint, target: Endpoint): boolean =>
	stored.provider === target.provider &&
	(stored.base_url === target.base_url ||
		(stored.provider === "bedrock" && isSameBedrockPartition(stored.base_url, target.base_url)));
