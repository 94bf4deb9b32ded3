import OCRCore
