import { deleteBootstrapCredentials } from "../auth/bootstrap-credentials";
import { type InstanceBus, WORKSPACES_TOPIC, type WorkspaceMessage } from "../store/claims/instance-bus";
import { answerForRequests } from "./requests-elsewhere";
import type { Workspaces } from "./workspaces";

/** Opens and closes workspaces as other instances create and delete them. */
export interface FollowedInstances {
	/** Follows nothing more. Resolves when what was under way has ended. */
	stop(): Promise<void>;
}

export interface FollowInstancesOptions {
	readonly bus: Pick<InstanceBus, "subscribe" | "onMissed" | "publish">;
	readonly workspaces: Pick<Workspaces, "find" | "synchronize">;
	/** Folder of this instance, which may have the credentials of a workspace that another one deletes. */
	readonly dataFolder: string;
	/** Drops what is kept in memory of a workspace. */
	readonly forget: (workspaceId: string) => void;
	readonly onError: (error: unknown) => void;
}

/** Follows the other instances, and answers what they ask: by their messages, and through all workspaces where some may have been missed. */
export function followInstances({
	bus,
	workspaces,
	dataFolder,
	forget,
	onError,
}: FollowInstancesOptions): FollowedInstances {
	async function synchronize(ids?: readonly string[]): Promise<void> {
		for (const id of await workspaces.synchronize(ids)) {
			forget(id);
			await deleteBootstrapCredentials(dataFolder, id);
		}
	}
	let following = Promise.resolve();
	const follow = (ids?: readonly string[]): void => {
		following = following.then(() => synchronize(ids)).catch(onError);
	};
	const stops = [
		bus.subscribe(WORKSPACES_TOPIC, (payload) => {
			// The database writes it, so that it is not checked again.
			const { id } = payload as WorkspaceMessage;
			follow([id]);
		}),
		bus.onMissed(() => follow()),
		answerForRequests({ bus, workspaces, onError }),
	];
	// Some may have been created since this instance has read which there are.
	follow();
	return {
		async stop() {
			for (const stop of stops) stop();
			await following;
		},
	};
}
