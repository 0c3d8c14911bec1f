import { beforeAll, describe, expect, it } from "vitest";
import { validateManifest } from "./models.ts";
import { hasKubectl, type Manifest, ON_POSTGRES, OVERLAYS, renderOverlay } from "./render-overlay.ts";

// Without kubectl (https://kubernetes.io/docs/tasks/tools), nothing renders the overlays.

/** Secrets that operators make, or cert-manager does; the comments of the manifests say so. */
const EXTERNAL_SECRETS = ["stemma", "stemma-tls"];

describe.skipIf(!hasKubectl).each(OVERLAYS)("the overlay %s", (overlay) => {
	let manifests: readonly Manifest[];
	beforeAll(async () => {
		manifests = await renderOverlay(overlay);
	});

	const listKind = (kind: string): readonly Manifest[] =>
		manifests.filter((manifest) => manifest.kind === kind);
	const get = (kind: string, name = "stemma"): Manifest => {
		const found = listKind(kind).find(({ metadata }) => metadata.name === name);
		if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
		return found;
	};
	const readPod = () => get("Deployment").spec.template;

	it("has objects that Kubernetes accepts", () => {
		expect(manifests.length).toBeGreaterThan(6);
		for (const manifest of manifests) expect(() => validateManifest(manifest)).not.toThrow();
	});

	it("has all of them in its namespace, each once", () => {
		const keys = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
		expect(new Set(keys).size).toBe(keys.length);
		const namespaces = manifests.filter(({ kind }) => kind !== "Namespace");
		expect(new Set(namespaces.map(({ metadata }) => metadata.namespace))).toEqual(new Set(["stemma"]));
		expect(get("Namespace").metadata.name).toBe("stemma");
	});

	it("refers to objects that are there", () => {
		const { spec } = readPod();
		get("ServiceAccount", spec.serviceAccountName);
		for (const container of spec.containers)
			for (const { configMapRef } of container.envFrom ?? []) get("ConfigMap", configMapRef.name);
		for (const { persistentVolumeClaim, secret } of spec.volumes) {
			if (persistentVolumeClaim !== undefined) get("PersistentVolumeClaim", persistentVolumeClaim.claimName);
			if (secret !== undefined) expect(EXTERNAL_SECRETS).toContain(secret.secretName);
		}
		for (const { spec: ingress } of listKind("Ingress")) {
			for (const { http } of ingress.rules)
				for (const { backend } of http.paths)
					expect(get("Service", backend.service.name).spec.ports).toContainEqual(
						expect.objectContaining({ name: backend.service.port.name }),
					);
			for (const { secretName } of ingress.tls) expect(EXTERNAL_SECRETS).toContain(secretName);
		}
		for (const { spec: autoscaler } of listKind("HorizontalPodAutoscaler"))
			get(autoscaler.scaleTargetRef.kind, autoscaler.scaleTargetRef.name);
	});

	it("selects the pods of the service, and only them", () => {
		const labels = readPod().metadata.labels;
		expect(Object.keys(labels).length).toBeGreaterThan(0);
		const selectors = [
			get("Deployment").spec.selector.matchLabels,
			get("Service").spec.selector,
			get("PodDisruptionBudget").spec.selector.matchLabels,
			get("NetworkPolicy").spec.podSelector.matchLabels,
		];
		for (const selector of selectors) expect(selector).toEqual(labels);
	});

	it("names ports that the container has", () => {
		const [container] = readPod().spec.containers;
		const names = container.ports.map(({ name }: { name: string }) => name);
		for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"])
			expect(names).toContain(container[probe].httpGet.port);
		for (const { targetPort } of get("Service").spec.ports) expect(names).toContain(targetPort);
		for (const { ports } of get("NetworkPolicy").spec.ingress)
			for (const { port } of ports) expect(names).toContain(port);
	});

	it("mounts what is declared, and declares what is mounted", () => {
		const { containers, volumes } = readPod().spec;
		const mounted = containers.flatMap(({ volumeMounts }: { volumeMounts: { name: string }[] }) =>
			volumeMounts.map(({ name }) => name),
		);
		expect(mounted.toSorted()).toEqual(volumes.map(({ name }: { name: string }) => name).toSorted());
	});

	it.runIf(ON_POSTGRES.includes(overlay))(
		"has several pods, which keep nothing, and starts new ones first",
		() => {
			const { replicas, strategy, template } = get("Deployment").spec;
			expect([replicas, strategy]).toEqual([
				2,
				{ type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
			]);
			expect(listKind("PersistentVolumeClaim")).toEqual([]);
			expect(template.spec.volumes).toContainEqual({ name: "data", emptyDir: { sizeLimit: "2Gi" } });
			const [autoscaler] = listKind("HorizontalPodAutoscaler");
			expect(autoscaler?.spec).toMatchObject({ minReplicas: 2, maxReplicas: 6 });
			expect(get("PodDisruptionBudget").spec).toMatchObject({ maxUnavailable: 1 });
		},
	);

	it.skipIf(ON_POSTGRES.includes(overlay))(
		"has one pod, of which the old one ends before the new one starts",
		() => {
			const { replicas, strategy } = get("Deployment").spec;
			expect([replicas, strategy.type]).toEqual([1, "Recreate"]);
			for (const { spec } of listKind("HorizontalPodAutoscaler"))
				expect([spec.minReplicas, spec.maxReplicas]).toEqual([1, 1]);
			// More would keep nodes from being drained.
			expect(get("PodDisruptionBudget").spec).toMatchObject({ maxUnavailable: 1 });
		},
	);

	it("gives the pod no more rights than it needs", () => {
		const { spec } = readPod();
		expect(spec).toMatchObject({
			automountServiceAccountToken: false,
			securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
		});
		for (const { securityContext, resources } of spec.containers) {
			expect(securityContext).toEqual({
				readOnlyRootFilesystem: true,
				allowPrivilegeEscalation: false,
				capabilities: { drop: ["ALL"] },
			});
			expect(resources.limits.memory).toBeDefined();
		}
		for (const key of ["hostNetwork", "hostPID", "hostIPC"]) expect(spec).not.toHaveProperty(key);
	});

	it("lets requests in flight end", () => {
		const { terminationGracePeriodSeconds, containers } = readPod().spec;
		const pauseMs = Number(/(\d+)\)$/.exec(containers[0].lifecycle.preStop.exec.command.at(-1))?.[1]);
		// The service takes 10 seconds and a moment to end.
		expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(pauseMs + 15_000);
	});

	it("has no secret among its variables", () => {
		for (const { data } of listKind("ConfigMap"))
			expect(
				Object.keys(data as object).filter((name) => /SECRET|TOKEN|ENCRYPTION|API_KEY/.test(name)),
			).toEqual([]);
	});
});
