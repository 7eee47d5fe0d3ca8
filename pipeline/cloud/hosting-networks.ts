/** An autonomous system of a provider that publishes no list of its networks. */
export interface HostingNetwork {
  readonly asn: number;
  /** Whose cloud it is, as `ListClaim.cloud`. */
  readonly provider: string;
}

/**
 * Clouds without a published file, by the AS that announces a network. An AS also holds its company's own networks and
 * blocks that are leased out, so this ranks below every published list; service and region are unknown. Who holds an AS
 * number is in the registries (RIPE NCC's asnames) and in PeeringDB, whose name for it stands behind each.
 */
export const HOSTING_NETWORKS: readonly HostingNetwork[] = [
  { asn: 24940, provider: 'Hetzner' }, // Hetzner Online
  { asn: 213230, provider: 'Hetzner' }, // Hetzner Online Cloud 2
  { asn: 212317, provider: 'Hetzner' }, // Hetzner Online Cloud 3
  { asn: 16276, provider: 'OVHcloud' }, // OVHcloud
  { asn: 45102, provider: 'Alibaba Cloud' }, // Alibaba
  { asn: 37963, provider: 'Alibaba Cloud' }, // Alibaba (China)
  { asn: 134963, provider: 'Alibaba Cloud' }, // ASEPL-AS-AP, Alibaba.com Singapore (RIPE NCC)
  { asn: 45090, provider: 'Tencent Cloud' }, // Tencent-CN
  { asn: 132203, provider: 'Tencent Cloud' }, // Tencent Global
  { asn: 133478, provider: 'Tencent Cloud' }, // TENCENT-AS-AP, Tencent Cloud Computing Beijing (RIPE NCC)
  { asn: 132591, provider: 'Tencent Cloud' }, // TENCENT-NET-AP-AS, Tencent AS num for global network (RIPE NCC)
  { asn: 136907, provider: 'Huawei Cloud' }, // Huawei Cloud Global
  { asn: 55990, provider: 'Huawei Cloud' }, // Huawei Cloud (China)
  { asn: 12876, provider: 'Scaleway' }, // Scaleway
  // AS29447, which some count to Scaleway, is the access network of Iliad Italia (PeeringDB: Cable/DSL/ISP).
  { asn: 36351, provider: 'IBM Cloud' }, // SoftLayer Technologies, an IBM company
  { asn: 135377, provider: 'UCloud' }, // UCLOUD-HK-AS-AP, UCloud Information Technology HK (RIPE NCC)
];

/** Whose cloud an AS is; absent for most. */
export function hostingProviderOf(asn: number): string | undefined {
  return HOSTING_NETWORKS.find((network) => network.asn === asn)?.provider;
}
