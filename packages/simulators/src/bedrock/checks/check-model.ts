import { Rejection, reject } from "../rejection.ts";

/** The models of the account; others do not exist. */
export interface SimulatedModels {
	readonly enabled: readonly string[];
	/** Those that exist, but that the account was given no access to. */
	readonly notEnabled?: readonly string[];
	/** Those that are called by an inference profile's id only. */
	readonly profileOnly?: readonly string[];
	/** Those of the enabled that refuse results of tools and other blocks in one message, as most vendors' models do. */
	readonly separateToolTurns?: readonly string[];
}

/** @param models - Without them any id is taken. */
export function checkModel(modelId: string, models: SimulatedModels | undefined): void {
	if (models === undefined || models.enabled.includes(modelId)) return;
	if (models.notEnabled?.includes(modelId))
		throw new Rejection(
			403,
			"AccessDeniedException",
			"You don't have access to the model with the specified model ID.",
		);
	if (models.profileOnly?.includes(modelId))
		reject(
			`Invocation of model ID ${modelId} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
		);
	reject("The provided model identifier is invalid.");
}
