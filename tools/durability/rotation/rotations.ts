import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { SettingsLedger } from "../settings/ledger.ts";
import type { EncryptionKeys } from "./encryption-keys.ts";
import { type RotationEnd, type RotationProcess, startRotation } from "./rotation-process.ts";

/** Rotates the keys again and again, one rotation at a time. */
export interface Rotations {
	/**
	 * Goes on until the life is over; a rotation that is under way then goes on by itself. Resolves when a first one has
	 * come to its end.
	 */
	startRotating(lifetime: ServiceLifetime): Promise<void>;
	/** Ends the one that is under way with SIGKILL. */
	kill(): void;
	/** Resolves when none is under way. */
	whenIdle(): Promise<void>;
	/** What should not be. */
	readonly problems: readonly string[];
}

/** From a start of the service until it is killed. */
export interface ServiceLifetime {
	isOver: boolean;
}

export interface RotationsOptions {
	readonly folder: string;
	readonly keys: EncryptionKeys;
	readonly random: Random;
	readonly ledger: SettingsLedger;
}

export function createRotations({ folder, keys, random, ledger }: RotationsOptions): Rotations {
	const { tally, marker } = ledger;
	const problems: string[] = [];
	let running: RotationProcess | undefined;
	let rotating: Promise<void> = Promise.resolve();

	async function rotate(lifetime: ServiceLifetime): Promise<void> {
		const rotation = startRotation(folder, keys.current);
		running = rotation;
		const cut = random.next() < 0.2 ? setTimeout(rotation.kill, random.between(100, 600)) : undefined;
		const end = await rotation.ended;
		clearTimeout(cut);
		running = undefined;
		assertOutcome(end, lifetime);
	}

	function assertOutcome({ code, stdout, stderr }: RotationEnd, { isOver }: ServiceLifetime): void {
		if (`${stdout}${stderr}`.includes(marker)) problems.push("A rotation shows a key.");
		if (code === null) tally.cutRotations += 1;
		// It had the keys of a service that is gone, and says so where that matters.
		else if (isOver) tally.straddlingRotations += 1;
		else if (code === 0) {
			tally.rotations += 1;
			tally.resealed += (JSON.parse(stdout) as { readonly resealed: number }).resealed;
			keys.markRotated();
		} else problems.push(`${stdout}${stderr}`);
	}

	async function rotateUntilEnd(
		lifetime: ServiceLifetime,
		before: Promise<void>,
		onEnd: () => void,
	): Promise<void> {
		await before;
		while (!lifetime.isOver) {
			await rotate(lifetime);
			onEnd();
			await wait(random.between(0, 100));
		}
	}

	return {
		startRotating(lifetime) {
			return new Promise((resolve) => {
				rotating = rotateUntilEnd(lifetime, rotating, resolve).catch((error: unknown) => {
					problems.push(String(error));
					resolve();
				});
			});
		},
		kill: () => running?.kill(),
		whenIdle: () => rotating,
		problems,
	};
}
