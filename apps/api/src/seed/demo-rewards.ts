/** These codes are public: they exist only if DEMO is on, which a production start refuses. */
export const demoReward = {
  title: 'Welcome drinks',
  amount: '25',
  budget: '5000',
  daysLong: 365,
  /** Spelled as people read them. Each user may claim each code once. */
  codes: [
    { text: '7K4T-DS21-3SB5-5QDT', claimCountMax: 100 },
    { text: 'V4KF-31SW-5EKH-ZCRP', claimCountMax: 1 },
    { text: 'YX6G-VN9W-8DMJ-4DGW', claimCountMax: 1 },
    { text: 'PSJX-QTEF-73A8-VBH9', claimCountMax: 1 },
    { text: '87C4-1JYQ-0K11-FWZV', claimCountMax: 1 },
  ],
};

export const demoRewardCodes: readonly string[] = demoReward.codes.map(({ text }) => text);
