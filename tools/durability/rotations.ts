import { setTimeout as wait } from "node:timers/promises";
import type { EncryptionKeys } from "./encryption-keys.ts";
import type { Random } from "./random.ts";
import { type RotationEnd, type RotationProcess, startRotation } from "./rotation-process.ts";
import type { SettingsLedger } from "./settings-ledger.ts";

/** Rotates the keys again and again, one rotation at a time. */
export interface Rotations {
	/**
	 * Goes on until the life is over; a rotation that is under way then goes on by itself. Resolves when a first one has
	 * come to its end.
	 */
	keepRotating(life: Life): Promise<void>;
	/** Ends the one that is under way with SIGKILL. */
	kill(): void;
	/** Resolves when none is under way. */
	idle(): Promise<void>;
	/** What should not be. */
	readonly problems: readonly string[];
}

/** From a start of the service until it is killed. */
export interface Life {
	isOver: boolean;
}

export interface RotationsOptions {
	readonly folder: string;
	readonly keys: EncryptionKeys;
	readonly random: Random;
	readonly ledger: SettingsLedger;
}

export function createRotations({ folder, keys, random, ledger }: RotationsOptions): Rotations {
	const { tally, needle } = ledger;
	const problems: string[] = [];
	let running: RotationProcess | undefined;
	let rotating: Promise<void> = Promise.resolve();

	async function rotate(life: Life): Promise<void> {
		const rotation = startRotation(folder, keys.current);
		running = rotation;
		const cut = random.next() < 0.2 ? setTimeout(rotation.kill, random.between(100, 600)) : undefined;
		const end = await rotation.ended;
		clearTimeout(cut);
		running = undefined;
		judge(end, life);
	}

	function judge({ code, stdout, stderr }: RotationEnd, { isOver }: Life): void {
		if (`${stdout}${stderr}`.includes(needle)) problems.push("A rotation shows a key.");
		if (code === null) tally.cutRotations += 1;
		// It had the keys of a service that is gone, and says so where that matters.
		else if (isOver) tally.straddlingRotations += 1;
		else if (code === 0) {
			tally.rotations += 1;
			tally.resealed += (JSON.parse(stdout) as { readonly resealed: number }).resealed;
			keys.noteRotated();
		} else problems.push(`${stdout}${stderr}`);
	}

	async function rotateWhile(life: Life, before: Promise<void>, onEnd: () => void): Promise<void> {
		await before;
		while (!life.isOver) {
			await rotate(life);
			onEnd();
			await wait(random.between(0, 100));
		}
	}

	return {
		keepRotating(life) {
			return new Promise((resolve) => {
				rotating = rotateWhile(life, rotating, resolve).catch((error: unknown) => {
					problems.push(String(error));
					resolve();
				});
			});
		},
		kill: () => running?.kill(),
		idle: () => rotating,
		problems,
	};
}
