"""The recogniser's network: a small convolutional network with a CTC output. A time step has four
pixels. The network accepts images of any width."""

import torch
from torch import nn

# The channels of the four stages, and the blocks of stages two to four.
NETWORK_SHAPE = {"channels": (24, 48, 96, 192), "blocks": (1, 2, 4)}
PIXELS_PER_STEP = 4


def convolution(before, after, size, stride, padding):
    return nn.Sequential(nn.Conv2d(before, after, size, stride, padding, bias=False), nn.BatchNorm2d(after), nn.SiLU())


class Block(nn.Module):
    """A residual block: a depthwise convolution, then two pointwise convolutions."""

    def __init__(self, channels, size):
        super().__init__()
        padding = tuple(side // 2 for side in size)
        self.inner = nn.Sequential(
            nn.Conv2d(channels, channels, size, padding=padding, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.Conv2d(channels, 2 * channels, 1),
            nn.SiLU(),
            nn.Conv2d(2 * channels, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, picture):
        return picture + self.inner(picture)


class Recogniser(nn.Module):
    """Maps (lines, 1, 32, width) to scores (lines, classes, width / 4)."""

    def __init__(self, classes, channels, blocks):
        super().__init__()
        first, second, third, last = channels
        self.layers = nn.Sequential(
            convolution(1, first, 3, 2, 1),
            convolution(first, second, 3, 2, 1),
            *[Block(second, (3, 5)) for _ in range(blocks[0])],
            convolution(second, third, 3, (2, 1), 1),
            *[Block(third, (3, 5)) for _ in range(blocks[1])],
            convolution(third, last, (4, 1), 1, 0),
            *[Block(last, (1, 11)) for _ in range(blocks[2])],
            nn.Dropout(0.1),
            nn.Conv2d(last, classes, 1),
        )

    def forward(self, picture):
        return self.layers(picture).squeeze(2)


def create_recogniser(classes):
    return Recogniser(classes, **NETWORK_SHAPE).to(memory_format=torch.channels_last)
