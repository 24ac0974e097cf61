# SPDX-License-Identifier: Apache-2.0
"""Convolutions."""

import torch
from torch import nn
from torch.nn import functional as F


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2 = nn.Linear(16 * 4, 20), nn.Linear(20, 4)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = F.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc2(torch.relu(self.fc1(torch.flatten(x, 1))))


class ResNetBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Conv2d(3, 8, 3, padding=1, bias=False)
        self.norm0, self.norm1 = nn.BatchNorm2d(8), nn.BatchNorm2d(16)
        self.conv1 = nn.Conv2d(8, 16, 3, stride=2, padding=1, bias=False)
        self.conv2 = nn.Conv2d(16, 16, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(16)
        self.short = nn.Sequential(nn.Conv2d(8, 16, 1, stride=2, bias=False),
                                   nn.BatchNorm2d(16))
        self.leave = nn.Linear(16, 4)

    def forward(self, x):
        x = F.relu(self.norm0(self.enter(x)))
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        x = F.relu(y + self.short(x))
        return self.leave(F.adaptive_avg_pool2d(x, 1).flatten(1))


class MobileNetBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Conv2d(3, 12, 1)
        self.depth = nn.Conv2d(12, 12, 3, padding=1, groups=12)
        self.squeeze, self.excite = nn.Conv2d(12, 3, 1), nn.Conv2d(3, 12, 1)
        self.narrow = nn.Conv2d(12, 3, 1)
        self.norm = nn.GroupNorm(3, 12)
        self.leave = nn.Linear(3 * 16, 4)

    def forward(self, x):
        y = F.relu6(self.wide(x))
        y = F.hardswish(self.norm(self.depth(y)))
        gate = F.adaptive_avg_pool2d(y, 1)
        gate = F.hardsigmoid(self.excite(F.relu(self.squeeze(gate))))
        return self.leave((x + self.narrow(y * gate)).flatten(1))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 4, 3, padding=1)
        self.deep = nn.Conv2d(4, 8, 3, padding=1)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.merge = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, x):
        a = F.relu(self.down(x))
        b = F.relu(self.deep(F.avg_pool2d(a, 2)))
        return self.merge(torch.cat([self.up(b), a], dim=1))


class TextCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 8)
        self.convs = nn.ModuleList(nn.Conv1d(8, 5, n) for n in (2, 3, 4))
        self.leave = nn.Linear(15, 4)

    def forward(self, x):
        x = self.words(x).transpose(1, 2)
        found = [F.relu(conv(x)).max(dim=2).values for conv in self.convs]
        return self.leave(torch.cat(found, dim=1))


class TemporalConvolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(c, 6, 3, dilation=d) for c, d in
                                   ((3, 1), (6, 2), (6, 4)))
        self.leave = nn.Linear(6, 1)

    def forward(self, x):
        x = x.transpose(1, 2)
        for conv in self.convs:
            pad = 2 * conv.dilation[0]
            x = F.relu(conv(F.pad(x, (pad, 0))))
        return self.leave(x[:, :, -1])


class Upsampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Conv2d(1, 4, 3, stride=2, padding=1)
        self.leave = nn.Conv2d(4, 1, 3, padding=1)

    def forward(self, x):
        x = F.instance_norm(F.relu(self.enter(x)))
        return self.leave(F.interpolate(x, scale_factor=2, mode="bilinear",
                                        align_corners=False))
