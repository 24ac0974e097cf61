# SPDX-License-Identifier: Apache-2.0
"""Ordinary modules of PyTorch, as people write them."""

from torch_modules.batches import *  # noqa: F401, F403
from torch_modules.dense import *  # noqa: F401, F403
from torch_modules.convolutions import *  # noqa: F401, F403
from torch_modules.recommenders import *  # noqa: F401, F403
from torch_modules.sequences import *  # noqa: F401, F403
from torch_suite import TorchCase

TITLE = "PyTorch modules"

MODELS = [
    ("MLP", mlp, classify, vectors(8)),
    ("Activations", activations, classify, vectors(8)),
    ("Layer and RMS norms", normalized_mlp, classify, vectors(8)),
    ("Batch norm", batch_normalized_mlp, classify, vectors(8)),
    ("Residual MLP", ResidualMLP, regress, regression(8)),
    ("Highway", Highway, classify, vectors(8)),
    ("Maxout", Maxout, classify, vectors(8)),
    ("Autoencoder", Autoencoder, reconstruct, regression(16)),
    ("Variational autoencoder", VariationalAutoencoder, evidence, noisy),
    ("Siamese", Siamese, contrast, pairs),
    ("Hypernetwork", Hypernetwork, classify, vectors(8)),
    ("Mixture density", MixtureDensity, mixture_likelihood, regression(8)),
    ("LeNet", LeNet, classify, images(1, 16)),
    ("ResNet block", ResNetBlock, classify, images(3, 8)),
    ("MobileNet block", MobileNetBlock, classify, images(3, 4)),
    ("U-Net", UNet, reconstruct, images(1, 8)),
    ("Text CNN", TextCNN, classify, tokens(50, 7)),
    ("Temporal convolution", TemporalConvolution, regress, series(8, 3)),
    ("Upsampler", Upsampler, reconstruct, images(1, 8)),
    ("LSTM", LSTMClassifier, classify, tokens(50, 5)),
    ("GRU, 2 layers, bidirectional", GRUForecast, regress, series(5, 3)),
    ("Character RNN", CharacterRNN, predict_next, texts(20, 5)),
    ("LSTM cells", LSTMByCells, regress, series(5, 3)),
    ("GPT", GPT, predict_next, texts(20, 6)),
    ("Masked attention", MaskedAttention, predict_next, texts(20, 6)),
    ("Transformer encoder", Encoder, classify, tokens(50, 5)),
    ("ViT", ViT, classify, images(3, 8)),
    ("LLaMA block", RotaryBlock, predict_next, texts(20, 6)),
    ("Mixture of experts", MixtureOfExperts, classify, vectors(8)),
    ("Sequence to sequence", SeqToSeq, translate, texts(20, 5)),
    ("Wide & Deep", WideAndDeep, click, clicks(5, 40, 3)),
    ("DeepFM", DeepFM, click, clicks(5, 40, 3)),
    ("DLRM", DLRM, click, clicks(5, 40, 3), ("sgd",)),
    ("DCN v2", CrossNetwork, click, clicks(5, 40, 3)),
    ("Bag of words", BagOfWords, classify, tokens(50, 6)),
    ("Matrix factorization", MatrixFactorization, rating, ratings),
    ("Neural collaborative filtering", NeuralCollaborativeFiltering, rating,
     ratings),
    ("word2vec", Word2Vec, skip_gram, words),
    ("Two towers", TwoTowers, rating, ratings),
    ("In-batch negatives", InBatchNegatives, contrast_in_batch, ratings),
    ("Deep interest network", InterestNetwork, click, clicks(5, 40, 3)),
]


def cases():
    return [TorchCase(*model) for model in MODELS]
